import BackgroundWorkSystem
import Foundation
import TestSupport

/// The real `bgwork` program, as a shell would run it, on one workplace.
struct CommandLineTool {
    struct Result {
        var status: Int32
        var output: String
        var errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    let place: Workplace

    /// Runs `bgwork transfers …` on the place's directory and waits for its end.
    func transfers(_ arguments: String...) async throws -> Result {
        try await start(arguments).result()
    }

    /// Starts it.
    func start(_ arguments: [String], inDirectory: Bool = true) throws -> Run {
        try Run(place, ["transfers"] + arguments + (inDirectory ? ["--directory", place.directory] : []))
    }

    /// One that was started.
    final class Run: Sendable {
        let process: ChildProcess
        private let outputPath: String
        private let errorPath: String

        init(_ place: Workplace, _ arguments: [String]) throws {
            let name = place.folder.path + "/run-" + UUID().uuidString
            (outputPath, errorPath) = (name + ".out", name + ".err")
            var environment = place.hostEnvironment(stoppingAt: nil)
            environment["BGWORK_AGENT"] = place.agentScript
            environment["XDG_DATA_HOME"] = place.folder.path + "/data"
            // The shell parts the two streams, and is then the program itself.
            process = try ChildProcess(
                "/bin/sh",
                ["-c", "exec \"$@\" 2>\"$0\"", errorPath, Programs.agent] + arguments, environment: environment,
                log: outputPath)
        }

        var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }

        func result() async throws -> Result {
            let status: Int32 =
                switch await process.nextChange() {
                case .exited(let status): status
                case .signalled(let number): -number
                case .stopped: -SIGSTOP
                }
            return Result(
                status: status, output: output,
                errors: (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "")
        }
    }
}
