import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

/// The agent as a systemd user unit: written, accepted by systemd, and getting along with agents that clients start.
@Suite(.serialized, .fewAtATime)
struct AgentUnitTests {
    private static let verifier = "/usr/bin/systemd-analyze"

    /// Runs `bgwork agent` with the user's configuration below the workplace; what it prints goes to `output`.
    private func run(_ arguments: [String], in place: Workplace, output: String) async throws -> ChildProcess.Change {
        try await ChildProcess(
            Programs.agent, ["agent"] + arguments, environment: ["XDG_CONFIG_HOME": place.folder.path + "/config"],
            log: output
        ).nextChange()
    }

    private func units(_ place: Workplace) -> [String] {
        let folder = place.folder.path + "/config/systemd/user"
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { folder + "/" + $0 }
    }

    @Test("the unit is written as it is printed, can be written again, and is removed even when its directory is gone")
    func installed() async throws {
        let place = try Workplace()
        let (printed, said) = (place.folder.path + "/printed", place.folder.path + "/said")
        let directory = ["--directory", place.directory]
        #expect(try await run(directory + ["--install-unit", "--print"], in: place, output: printed) == .exited(0))
        #expect(units(place).isEmpty)
        for _ in 0..<2 {
            #expect(try await run(directory + ["--install-unit"], in: place, output: said) == .exited(0))
        }
        let unit = try #require(units(place).first)
        #expect(units(place).count == 1)
        #expect(try String(contentsOfFile: unit, encoding: .utf8) == String(contentsOfFile: printed, encoding: .utf8))
        let words = try String(contentsOfFile: said, encoding: .utf8)
        #expect(words.contains("systemctl --user enable --now") && words.contains("loginctl enable-linger"))
        try FileManager.default.removeItem(atPath: place.directory)
        for _ in 0..<2 {
            #expect(try await run(directory + ["--remove-unit"], in: place, output: said) == .exited(0))
            #expect(units(place).isEmpty)
        }
    }

    @Test("a directory that does not exist gets no unit")
    func noDirectory() async throws {
        let place = try Workplace()
        let arguments = ["--directory", place.folder.path + "/missing", "--install-unit"]
        #expect(try await run(arguments, in: place, output: place.hostLog) == .exited(74))
        #expect(units(place).isEmpty)
    }

    @Test(
        "systemd accepts the unit, whatever the directory is called",
        .enabled(if: FileManager.default.isExecutableFile(atPath: verifier)),
        arguments: ["plain", #"with a space, 50% %h "quotes" it's \back $HOME ${X} é"#])
    func verified(name: String) async throws {
        let place = try Workplace()
        let directory = place.folder.path + "/" + name
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        let arguments = ["--directory", directory, "--install-unit"]
        #expect(try await run(arguments, in: place, output: place.hostLog) == .exited(0))
        let output = place.folder.path + "/verified"
        let process = try ChildProcess(
            Self.verifier, ["verify", "--user", try #require(units(place).first)],
            environment: ["PATH": "/usr/bin:/bin", "HOME": place.folder.path, "XDG_RUNTIME_DIR": place.folder.path],
            log: output)
        #expect(await process.nextChange() == .exited(0))
        #expect(place.lines(of: output).isEmpty, "\(place.lines(of: output))")
    }

    @Test("the unit's agent waits while another serves, can be ended meanwhile, and takes over when that one is gone")
    func takesOver() async throws {
        let place = try Workplace()
        let service = place.wakeService()
        try await service.setWakes([WakeRequest(earliest: .inMilliseconds(3_600_000))])
        let first = try #require(place.agents.first)
        let log = place.folder.path + "/unit.log"
        func unitAgent() throws -> ChildProcess {
            try ChildProcess(
                Programs.agent, ["agent", "--directory", place.directory, "--stay"], environment: [:], log: log)
        }
        let ended = try unitAgent()
        try await place.wait(for: "the unit's agent to wait") { place.lines(of: log).count == 1 }
        ended.send(SIGTERM)
        #expect(await ended.nextChange() == .signalled(SIGTERM))
        let second = try unitAgent()
        try await place.wait(for: "the unit's agent to wait") { place.lines(of: log).count == 2 }
        #expect(place.lines(of: log).allSatisfy { $0.contains("waiting until it leaves") })
        await service.disconnect()
        kill(first, SIGKILL)
        try await place.wait(for: "the unit's agent to serve") {
            place.lines(of: log).contains { $0.contains("serving") && $0.contains("1 wakes") }
        }
        // Every client finds it now, and starts no other.
        let next = place.wakeService()
        #expect(try await next.transfers().isEmpty)
        #expect(place.agents == [second.id])
        await next.disconnect()
        second.send(SIGTERM)
        #expect(await second.nextChange() == .exited(0))
    }
}
