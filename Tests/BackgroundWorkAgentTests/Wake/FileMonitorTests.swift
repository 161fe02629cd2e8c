import BackgroundWorkExchange
import BackgroundWorkFiles
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkAgent

@Suite("The agent's watching of files", .timeLimit(.minutes(5)))
struct FileMonitorTests {
    private let folder: TemporaryFolder
    private let wake: WakeDescriptor
    private let monitor: FileMonitor

    init() throws {
        folder = try TemporaryFolder()
        wake = try WakeDescriptor()
        monitor = FileMonitor(wake: wake)
    }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path(name)), options: .atomic)
    }

    private func request(_ name: String) -> FileWakeRequest {
        FileWakeRequest(path: path(name), stamp: FileStamp.stored(path: path(name)))
    }

    /// Until what it sees is as wanted; each time it differs the loop is woken.
    private func sees(_ isWanted: (FileObservation) -> Bool) async throws -> Bool {
        while !isWanted(monitor.observation) {
            let isWoken = try await comesTrue(within: .seconds(30)) {
                var waiting = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
                return poll(&waiting, 1, 0) == 1
            }
            guard isWoken else { return false }
            wake.clear()
        }
        return true
    }

    @Test("a file that was changed before, while it is watched, and back again")
    func changes() async throws {
        try write("1", to: "a")
        try write("1", to: "b")
        let (a, b) = (request("a"), request("b"))
        try write("22", to: "b")
        monitor.follow([a, b])
        #expect(try await sees { $0.isComplete && $0.changed == [b] })
        #expect(rename(path("a"), path("aside")) == 0)
        #expect(try await sees { $0.changed == [a, b] })
        #expect(rename(path("aside"), path("a")) == 0)
        #expect(try await sees { $0.changed == [b] })
    }

    @Test("changes of files that are no longer watched are not reported")
    func givenUp() async throws {
        try write("1", to: "a")
        let old = request("a")
        monitor.follow([old])
        #expect(try await sees(\.isComplete))
        try write("22", to: "a")
        monitor.follow([request("a")])
        #expect(try await sees(\.isComplete))
        #expect(monitor.observation.changed.isEmpty)
        monitor.follow([])
        #expect(monitor.observation == FileObservation())
    }

    @Test("many changes of the list in a row leave the last one")
    func manyLists() async throws {
        try write("1", to: "a")
        for number in 0..<200 {
            monitor.follow([FileWakeRequest(path: path("a"), stamp: "\(number)")])
        }
        let last = request("a")
        monitor.follow([last])
        #expect(try await sees { $0.isComplete && $0.changed.isEmpty })
        try write("22", to: "a")
        #expect(try await sees { $0.changed == [last] })
    }
}
