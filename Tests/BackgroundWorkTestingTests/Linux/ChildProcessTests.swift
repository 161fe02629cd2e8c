import BackgroundWorkSystem
import Foundation
import TestSupport
import Testing

/// The children that tests start.
struct ChildProcessTests {
    /// In a process of its own, for its descriptors.
    @Test("an exit is reported in a process with more descriptors than select(2) supports")
    func manyDescriptors() async throws {
        await #expect(processExitsWith: .success) {
            DescriptorLimit.raise()
            let last = (0..<1100).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }.last
            try #require(try #require(last) >= 1024)
            let (end, output) = try await ChildProcess.run(["sh", "-c", "echo said; echo complained >&2; exit 3"])
            try #require(end == .exited(3))
            try #require(String(decoding: output, as: UTF8.self) == "said\ncomplained\n")
        }
    }

    @Test("all of a long output is there, and an end by a signal is told from an exit")
    func longOutput() async throws {
        let (end, output) = try await ChildProcess.run(["sh", "-c", "head -c 1000000 /dev/zero; kill -9 $$"])
        #expect(end == .signalled(SIGKILL))
        #expect(output.count == 1_000_000)
    }

    @Test("a process that has written output continues, and later output does it no harm")
    func speaking() async throws {
        let words = ["sh", "-c", "echo ready; read line <&3; head -c 100000 /dev/zero; exit 5"]
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let process = try await ChildProcess.untilItSpeaks(words, inherited: ends[0])
        close(ends[0])
        close(ends[1])
        #expect(await process.nextChange() == .exited(5))
    }

    @Test("a process without a waiting caller is reaped nevertheless")
    func reaped() async throws {
        let id = try ChildProcess("/bin/true", [], environment: [:], log: "/dev/null").id
        #expect(try await comesTrue { kill(id, 0) != 0 && errno == ESRCH })
    }
}
