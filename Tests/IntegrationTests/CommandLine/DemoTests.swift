import BackgroundWorkSystem
import Foundation
import TestSupport
import Testing

/// `bgwork demo` as the README has it run.
@Suite(.serialized, .fewAtATime)
struct DemoTests {
    private let folder: TemporaryFolder
    private var output: String { folder.path + "/output" }
    private var temporary: String { folder.path + "/tmp" }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
    }

    private func start(_ arguments: [String]) throws -> ChildProcess {
        var environment = ProcessInfo.processInfo.environment
        environment["TMPDIR"] = temporary
        return try ChildProcess(Programs.agent, ["demo"] + arguments, environment: environment, log: output)
    }

    private var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

    /// The processes that the demo has started, or that these have.
    private var processes: [String] {
        let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return ids.compactMap { id in
            guard Int(id) != nil, let line = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") else {
                return nil
            }
            let words = String(decoding: line, as: UTF8.self).replacing("\0", with: " ")
            return words.contains(temporary) ? "\(id) \(words)" : nil
        }
    }

    @Test("every check of the demo holds", arguments: [[], ["--no-kill"], ["--kill-agent"]])
    func holds(arguments: [String]) async throws {
        let demo = try start(arguments)
        #expect(await demo.nextChange() == .exited(0), "\(text)")
        #expect(text.hasSuffix("All checks held.\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
        #expect(processes.isEmpty)
    }

    @Test(
        "a demo that is stopped ends by the signal, and leaves neither a process nor its folder",
        arguments: [
            ("serving ", SIGTERM), (" enqueued a chain", SIGINT), ("%", SIGTERM), ("was killed", SIGHUP),
            ("was started by the demo", SIGTERM),
        ])
    func stopped(moment: String, signal: Int32) async throws {
        let demo = try start(["--kill-agent"])
        #expect(try await comesTrue(within: .seconds(120)) { text.contains(moment) })
        demo.send(signal)
        #expect(await demo.nextChange() == .signalled(signal), "\(text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
        #expect(processes.isEmpty)
    }
}
