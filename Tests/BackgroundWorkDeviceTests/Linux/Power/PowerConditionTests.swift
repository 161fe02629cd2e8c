import BackgroundWorkModel
import BackgroundWorkSystem
import Dispatch
import Foundation
import Testing

@testable import BackgroundWorkDevice

@Suite(.timeLimit(.minutes(5)))
struct PowerConditionTests {
    private static let loopback = "/sys/class/net/lo/uevent"

    @Test(
        "the kernel's announcement about something else wakes, and does not matter",
        .enabled(if: access(loopback, W_OK) == 0, "has the kernel announce loopback, which needs root"))
    func otherDevice() async throws {
        let folder = try SupplyFolder()
        let condition = PowerCondition(folder: folder.path, timers: HandTimers())
        let (stream, continuation) = AsyncStream.makeStream(of: Wake.self)
        condition.beginWatching(on: DispatchQueue(label: "power")) { continuation.yield($0) }
        #expect(condition.read().unwatched == [])
        let file = try FileHandle(forWritingTo: URL(filePath: Self.loopback))
        try file.write(contentsOf: Data("change".utf8))
        var wakes = stream.makeAsyncIterator()
        #expect(await wakes.next() == .events)
        #expect(!condition.takeEvents())
        condition.endWatching()
    }

    @Test("the state follows the folder")
    func follows() throws {
        let folder = try SupplyFolder()
        let condition = PowerCondition(folder: folder.path, timers: HandTimers())
        #expect(condition.read() == DeviceState(satisfied: [.charging, .batteryNotLow]))
        try folder.set("BAT0", ["type": "Battery", "status": "Discharging", "capacity": "7"])
        #expect(condition.read() == DeviceState(satisfied: []))
    }

    @Test("where the folder cannot be listed, power cannot be read")
    func unlistable() throws {
        let folder = try SupplyFolder()
        try folder.set("file", ["type": "Mains"])
        let path = "\(folder.path)/file/type"
        #expect(
            PowerCondition(folder: path, timers: HandTimers()).read()
                == .unreadable(
                    [.charging, .batteryNotLow], because: "\(path) cannot be listed: Not a directory"))
    }
}
