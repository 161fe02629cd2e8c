import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkAgentClient

/// Where the agent's program is searched.
struct AgentExecutableTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func program(_ name: String, mode: Int = 0o755) throws -> String {
        let path = folder.path + "/" + name
        #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: mode]))
        return path
    }

    private func executable() -> AgentExecutable {
        var executable = AgentExecutable(configured: nil)
        executable.environment = [:]
        executable.runningProgram = folder.path + "/host"
        executable.hostCanServe = true
        return executable
    }

    @Test("the small program beside the host comes before bgwork, and that before the host itself")
    func order() throws {
        #expect(try executable().locate().path == folder.path + "/host")
        let bgwork = try program("bgwork")
        #expect(try executable().locate().path == bgwork)
        let agent = try program("bgwork-agent")
        #expect(try executable().locate().path == agent)
    }

    @Test("the environment's program precedes one beside the host, and a configured one precedes both")
    func named() throws {
        _ = try program("bgwork-agent")
        var executable = executable()
        executable.environment = ["BGWORK_AGENT": try program("by-environment")]
        #expect(try executable.locate() == .init(path: folder.path + "/by-environment"))
        executable.configured = try program("by-configuration")
        #expect(try executable.locate() == .init(path: folder.path + "/by-configuration"))
    }

    @Test("a named program that cannot be used is reported with the reason and with the one that is used")
    func namedInVain() throws {
        let agent = try program("bgwork-agent")
        let missing = folder.path + "/missing"
        let data = try program("data", mode: 0o644)
        for (path, reason) in [
            (missing, "No such file"), ("bin/agent", "not an absolute path"), (folder.path, "not a file"),
            (data, "may not execute"),
        ] {
            var executable = executable()
            executable.environment = ["BGWORK_AGENT": path]
            let found = try executable.locate()
            #expect(found.path == agent)
            let notice = try #require(found.notices.first)
            for words in ["\(path) (from BGWORK_AGENT) cannot be used", reason, "\(agent) is used instead"] {
                #expect(notice.contains(words), "\(notice)")
            }
            executable.configured = path
            executable.environment["BGWORK_AGENT"] = missing
            #expect(try executable.locate().notices.map { $0.contains("agentExecutable") } == [true, false])
        }
    }

    @Test("a file that is not executable is skipped, and named if there is no other")
    func notExecutable() throws {
        let agent = try program("bgwork-agent", mode: 0o644)
        var executable = executable()
        executable.hostCanServe = false
        let error = #expect(throws: AgentUnavailableError.self) { try executable.locate() }
        #expect(error?.description.contains(agent) == true)
    }
}
