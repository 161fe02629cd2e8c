import BackgroundWork
import Foundation
import TestSupport

extension Workplace {
    /// The files of this place that contain a text, and those that name one: everything that a host, its agent and the
    /// command line have written.
    ///
    /// Searched by another process: to open and close a database here would release the locks of this process's own
    /// connections.
    func files(containing text: String) async throws -> [String] {
        let results = try TemporaryFolder()
        let list = results.path + "/list"
        let search = try ChildProcess("/bin/grep", ["-rlaF", text, folder.path], environment: [:], log: list)
        guard case .exited(let status) = await search.nextChange(), status < 2 else {
            throw Timeout(what: "grep", log: lines(of: list).joined(separator: "\n"))
        }
        return lines(of: list)
    }

    /// Waits until no file has a secret: they are deleted when their transfers end, and leave the logs of the databases a
    /// moment later.
    func waitUntilNoFileHasSecrets() async throws {
        var found: [String] = []
        for _ in 0..<1200 {
            found = try await files(containing: SecretOptions.word)
            if found.isEmpty { found = try await files(containing: SecretOptions.encoded) }
            if found.isEmpty { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw Timeout(what: "secrets to leave \(found)", log: logs)
    }

    /// What a scheduler tells of its work, all in one text.
    func words(of scheduler: WorkScheduler, id: String, commandLine: Bool = true) async throws -> String {
        var text = ""
        func add(_ value: Any) {
            dump(value, to: &text)
            text += "\(value)\n"
        }
        add(try await scheduler.info(id: id) as Any)
        add(try await scheduler.explain(id: id) as Any)
        add(try await scheduler.executionHistory())
        add(try await scheduler.infos(matching: WorkQuery()))
        add(scheduler.recentNotices)
        add(try await scheduler.backgroundSessions.transfers())
        if commandLine {
            for arguments in [["list"], ["list", "--json"]] {
                let result = try await CommandLineTool(place: self)
                    .start(arguments).result()
                text += result.output + result.errors
            }
        }
        return text
    }
}
