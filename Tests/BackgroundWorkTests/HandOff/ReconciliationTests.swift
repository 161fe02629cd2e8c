import BackgroundWorkModel
import BackgroundWorkTransfers
import Testing

@testable import BackgroundWork

/// What the state file, the daemon and the records say of a transfer, each against the others.
struct ReconciliationTests {
    private typealias Standing = Reconciliation.Standing
    private typealias Finding = Reconciliation.Finding

    static let reference = TransferReference(store: "s", key: TransferKey(workID: "w", generation: 3))
    static let entry = TransferEntry(
        sessionIdentifier: "session", taskIdentifier: 7, savePath: "/tmp/f", workerName: "W",
        createdAt: WallTime(milliseconds: 0), reference: reference)
    static let standings: [Reconciliation.Standing] = [
        .unknown, .settled, .inProgress, .awaited(workerName: "W", isHeld: false),
        .awaited(workerName: "W", isHeld: true),
    ]

    static func transfer(
        _ state: TransferSnapshot.State = .active, phase: TransferPhase = .waiting(.slot), path: String = "/tmp/f",
        reference: TransferReference = reference
    ) -> TransferSnapshot {
        TransferSnapshot(
            reference: reference, sessionIdentifier: "session", taskIdentifier: 7, state: state, receivedBytes: 0,
            totalBytes: nil, savePath: path, phase: phase)
    }

    private func findings(
        _ entries: [TransferEntry], _ transfers: [TransferSnapshot]?, _ standing: Standing,
        toBeCancelled: Set<TransferKey> = []
    ) -> [Finding] {
        Reconciliation(entries: entries, transfers: transfers, toBeCancelled: toBeCancelled)
            .findings { _ in standing }
    }

    @Test("an entry without a transfer is settled, lost, or left to its worker", arguments: standings)
    func entryAlone(standing: Reconciliation.Standing) {
        let expected: [Finding] =
            switch standing {
            case .unknown, .settled: [.entryIsSettled(Self.entry)]
            case .inProgress: []
            case .awaited: [.transferIsLost(Self.entry)]
            }
        #expect(findings([Self.entry], [], standing) == expected)
    }

    @Test("no transfer counts as lost while the daemon has not been asked", arguments: standings)
    func notAsked(standing: Reconciliation.Standing) {
        let isOver = standing == .unknown || standing == .settled
        #expect(findings([Self.entry], nil, standing) == (isOver ? [.entryIsSettled(Self.entry)] : []))
    }

    @Test("a transfer without an entry is cancelled, gets one, or is left to its worker", arguments: standings)
    func transferAlone(standing: Reconciliation.Standing) {
        let transfer = Self.transfer()
        let expected: [Finding] =
            switch standing {
            case .unknown, .settled: [.transferIsUnwanted(transfer)]
            case .inProgress: []
            case .awaited(let name, let isHeld):
                (isHeld ? [.pauseDiffers(transfer, isHeld: true)] : []) + [.entryIsMissing(transfer, workerName: name)]
            }
        #expect(findings([], [transfer], standing) == expected)
    }

    @Test("an entry of a transfer that the daemon has stays, whatever the records say", arguments: standings)
    func both(standing: Reconciliation.Standing) {
        let transfer = Self.transfer()
        let expected: [Finding] =
            switch standing {
            case .unknown, .settled: [.transferIsUnwanted(transfer)]
            case .awaited(_, isHeld: true): [.pauseDiffers(transfer, isHeld: true)]
            case .inProgress, .awaited: []
            }
        #expect(findings([Self.entry], [transfer], standing) == expected)
        #expect(Reconciliation(entries: [Self.entry], transfers: [transfer]).unknownEntries == [])
        #expect(Reconciliation(entries: [Self.entry], transfers: []).unknownEntries == [Self.entry])
    }

    @Test("a transfer that has ended delivers its outcome, and one that is being cancelled is left alone")
    func onTheirWay() {
        for standing in Self.standings {
            #expect(findings([Self.entry], [Self.transfer(.finished)], standing) == [])
            #expect(findings([], [Self.transfer(.finished)], standing) == [])
            #expect(findings([], [Self.transfer()], standing, toBeCancelled: [Self.reference.key]) == [])
        }
    }

    @Test("a pause of the daemon's that the record does not have is ended")
    func paused() {
        let transfer = Self.transfer(phase: .paused)
        #expect(
            findings([Self.entry], [transfer], .awaited(workerName: "W", isHeld: false))
                == [.pauseDiffers(transfer, isHeld: false)])
        #expect(findings([Self.entry], [transfer], .awaited(workerName: "W", isHeld: true)) == [])
    }

    @Test("no entry is made of a path that was cut or left out, nor under a number that another entry has")
    func cannotBeRebuilt() {
        let awaited = Standing.awaited(workerName: "W", isHeld: false)
        for path in ["", String(repeating: "p", count: 1000)] {
            let transfer = Self.transfer(path: path)
            #expect(findings([], [transfer], awaited) == [.entryCannotBeRebuilt(transfer)])
        }
        var other = Self.reference
        other.key.workID = "other"
        let transfer = Self.transfer(reference: other)
        #expect(
            findings([Self.entry], [transfer], awaited)
                == [.entryCannotBeRebuilt(transfer), .transferIsLost(Self.entry)])
    }

    @Test("an entry that names no work is known by its number")
    func withoutReference() {
        var entry = Self.entry
        entry.reference = nil
        let transfer = Self.transfer(.finished)
        #expect(findings([entry], [transfer], .unknown) == [])
        #expect(findings([entry], [], .unknown) == [.entryIsSettled(entry)])
        #expect(findings([entry], [], .inProgress) == [])
    }
}
