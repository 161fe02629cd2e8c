import BackgroundWorkModel
import BackgroundWorkTransfers
import Testing

@testable import BackgroundWorkAgent

@Suite("What blocks a transfer")
struct TransferHoldTests {
    private let now = WallTime(milliseconds: 1000)

    private func hold(_ change: (inout TransferOptions) -> Void = { _ in }) -> TransferHold {
        var options = TransferOptions()
        change(&options)
        return TransferHold(options, isPaused: false, nextAttempt: nil)
    }

    private func device(_ satisfied: Constraints) -> DeviceState { DeviceState(satisfied: satisfied) }

    @Test("an ordinary transfer needs no condition of the device")
    func ordinary() {
        #expect(hold().needs.isEmpty)
        #expect(hold().reason(now: now, device: nil) == nil)
        #expect(hold().nextChange(after: now) == nil)
    }

    @Test("pausing comes before everything else, and nothing changes by itself then")
    func paused() {
        var hold = hold { $0.isDiscretionary = true }
        hold.nextAttempt = WallTime(milliseconds: 2000)
        hold.isPaused = true
        #expect(hold.reason(now: now, device: nil) == .paused)
        #expect(hold.nextChange(after: now) == nil)
    }

    @Test("a transfer waits for its earliest start and its next attempt, not longer")
    func times() {
        var hold = hold { $0.earliestBegin = WallTime(milliseconds: 2000).date }
        hold.nextAttempt = WallTime(milliseconds: 3000)
        #expect(hold.reason(now: now, device: nil) == .waiting(.earliestBegin))
        #expect(hold.nextChange(after: now) == WallTime(milliseconds: 2000))
        #expect(hold.reason(now: WallTime(milliseconds: 2000), device: nil) == .waiting(.nextTry))
        #expect(hold.nextChange(after: WallTime(milliseconds: 2000)) == WallTime(milliseconds: 3000))
        #expect(hold.reason(now: WallTime(milliseconds: 3000), device: nil) == nil)
        #expect(hold.nextChange(after: WallTime(milliseconds: 3000)) == nil)
    }

    @Test("without leave for metered networks an unmetered one is needed, and power does not matter")
    func metered() {
        let hold = hold { $0.allowsCellularAccess = false }
        #expect(hold.reason(now: now, device: device(.network)) == .waiting(.unmeteredNetwork))
        #expect(hold.reason(now: now, device: device([])) == .waiting(.network))
        #expect(hold.reason(now: now, device: device(.unmeteredNetwork)) == nil)
    }

    @Test("a discretionary transfer needs an unmetered network and power")
    func discretionary() {
        let hold = hold { $0.isDiscretionary = true }
        #expect(hold.reason(now: now, device: device(.unmeteredNetwork)) == .waiting(.power))
        #expect(hold.reason(now: now, device: device([.network, .charging])) == .waiting(.unmeteredNetwork))
        #expect(hold.reason(now: now, device: device(.charging)) == .waiting(.network))
        #expect(hold.reason(now: now, device: device([.unmeteredNetwork, .charging])) == nil)
    }

    @Test("while nothing is known of the device, no condition counts as met")
    func unknown() {
        #expect(hold { $0.isDiscretionary = true }.reason(now: now, device: nil) == .waiting(.network))
    }
}
