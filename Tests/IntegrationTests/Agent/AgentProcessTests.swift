import BackgroundWork
import BackgroundWorkSystem
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

/// The agent as a process: found, started once, and not to be talked into anything.
@Suite(.serialized, .fewAtATime)
struct AgentProcessTests {
    static let content = HostDeathTests.content

    private func place(idleExit: Int = 30) throws -> Workplace {
        let place = try Workplace(idleExit: idleExit)
        place.server.serve(.bytes(Self.content), at: "/file")
        return place
    }

    @Test(
        "when no agent can be found, the transfer waits, and says which places were looked at",
        arguments: [true, false])
    func notFound(offersItself: Bool) async throws {
        let place = try place()
        let missing = place.folder.path + "/no-such-agent"
        // The tests' own folder has a bgwork beside them, so the host runs from elsewhere.
        let host = place.folder.path + "/lonely-host"
        // By a child: a process that another test forks meanwhile would inherit this one's descriptor for writing, and a
        // program that everyone may write to cannot be started.
        let copy = try ChildProcess("/bin/cp", [Programs.host, host], environment: [:], log: place.hostLog)
        #expect(await copy.nextChange() == .exited(0))
        var arguments = ["--directory", place.directory, "--agent", missing, "--attempts", "1"]
        arguments += ["--url", place.server.url("/file"), "--save-path", place.savePath]
        if !offersItself { arguments.append("--no-agent") }
        let environment = [
            "PATH": "/usr/bin:/bin", "BGWORK_AGENT": "/nowhere/bgwork",
            "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
        ]
        let process = try ChildProcess(host, arguments, environment: environment, log: place.hostLog)
        func expectSaidOnce(_ words: String) {
            // One notice, and one line on the standard error, however often an agent is looked for.
            let lines = place.lines(of: place.hostLog)
            #expect(lines.filter { $0.hasPrefix("notice ") && $0.contains(words) }.count == 1, "\(place.logs)")
            #expect(lines.filter { $0.hasPrefix("BackgroundWork: ") && $0.contains(words) }.count == 1)
        }
        if offersItself {
            #expect(await process.nextChange() == .exited(0), "\(place.logs)")
            // Found last: the host's own program, which checks for the agent's arguments.
            #expect(place.events.first?.outcome == "succeeded", "\(place.events)")
            expectSaidOnce("/nowhere/bgwork (from BGWORK_AGENT) cannot be used")
            return
        }
        let onlooker = try place.scheduler()
        #expect(try await comesTrue { try await onlooker.info(id: "c/0.0")?.message != nil }, "\(place.logs)")
        await process.killAndWait()
        expectSaidOnce("No agent program was found")
        let info = try #require(try await onlooker.info(id: "c/0.0"))
        #expect(info.state == .pending)
        #expect(info.runAttempt == 0)
        let beside = ["/bgwork-agent", "/bgwork"].map { place.folder.path + $0 }
        for looked in [missing, "/nowhere/bgwork"] + beside + ["runIfRequested"] {
            #expect(info.message?.contains(looked) == true, "\(info)")
        }
        await onlooker.shutdown()
        #expect(place.events.isEmpty)
        #expect(place.server.requests.isEmpty)
    }

    @Test(
        "the agent's own program takes its arguments with and without the word that hosts put before them",
        arguments: [["agent"], []])
    func ownProgram(words: [String]) async throws {
        let place = try place()
        let log = place.folder.path + "/agent-alone.log"
        let agent = try ChildProcess(
            Programs.agentAlone, words + ["--directory", place.directory, "--print", "--install-unit"],
            environment: [:], log: log)
        #expect(await agent.nextChange() == .exited(0))
        let unit = try String(contentsOfFile: log, encoding: .utf8)
        #expect(unit.contains(#"ExecStart="\#(Programs.agentAlone)" "agent""#), "\(unit)")
    }

    @Test("a second agent on one directory exits at once, and the first continues")
    func secondAgent() async throws {
        let place = try place()
        let scheduler = try place.scheduler()
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        try await scheduler.enqueue(place.download(), id: "a")
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next()?.success == true)
        let first = try #require(place.agents.first)
        let second = try ChildProcess(
            Programs.agent, ["agent", "--directory", place.directory], environment: [:], log: place.hostLog)
        #expect(await second.nextChange() == .exited(75))
        #expect(place.agents == [first])
        try await scheduler.enqueue(place.download(), id: "b")
        #expect(await iterator.next()?.success == true)
        await scheduler.shutdown()
    }

    @Test("a stale socket and a stale lock file of a dead agent do not prevent a new one")
    func staleSocket() async throws {
        let place = try place()
        #expect(try await place.run(try place.download())?.success == true)
        try await place.killAgents()
        #expect(FileManager.default.fileExists(atPath: place.directory + "/agent/agent.sock"))
        #expect(FileManager.default.fileExists(atPath: place.directory + "/agent/agent.lock"))
        #expect(try await place.run(try place.download())?.success == true)
    }

    @Test("an idle agent exits and removes its socket")
    func idleExit() async throws {
        let place = try place(idleExit: 0)
        #expect(try await place.run(try place.download())?.success == true)
        try await place.wait(for: "the agent to leave") { place.agents.isEmpty }
        #expect(!FileManager.default.fileExists(atPath: place.directory + "/agent/agent.sock"))
        let second = try await place.run(try place.download())
        #expect(second?.success == true, "\(second?.message ?? "")\n\(place.logs)")
    }

    @Test("a garbled or oversized frame is answered and ends its own connection only")
    func badFrames() async throws {
        let place = try place()
        let scheduler = try place.scheduler()
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        try await scheduler.enqueue(place.download(), id: "a")
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next()?.success == true)
        let frames: [[UInt8]] = [
            [0x7f, 0xff, 0xff, 0xff], [0, 0, 0, 5] + Array("hello".utf8), [0, 0, 0, 2] + Array("{}".utf8),
            Array("GET / HTTP/1.1\r\n\r\n".utf8),
        ]
        for frame in frames {
            let answer = try RawAgentClient.exchange(frame, directory: place.directory)
            #expect(answer.contains("badRequest"), "\(answer)")
        }
        try await scheduler.enqueue(place.download(), id: "b")
        #expect(await iterator.next()?.success == true)
        await scheduler.shutdown()
    }

    @Test("a process of another user is rejected", .enabled(if: getuid() == 0))
    func otherUser() async throws {
        let place = try place()
        #expect(try await place.run(try place.download())?.success == true)
        // Even with the folders opened up, the peer's uid decides.
        for path in [place.folder.path, place.directory, place.directory + "/agent"] { chmod(path, 0o755) }
        chmod(place.directory + "/agent/agent.sock", 0o777)
        let script = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
            body = b'{"id":1,"request":{"hello":{"protocolVersion":\(FrameCodec.protocolVersion),"store":"x","minimumTaskIdentifier":0}}}'
            try:
                s.sendall(len(body).to_bytes(4, 'big') + body)
                data = s.recv(4096)
            except OSError: data = b''
            sys.exit(3 if b'epoch' in data else 0)
            """
        let socket = place.directory + "/agent/agent.sock"
        let process = try ChildProcess(
            "/usr/bin/setpriv",
            ["--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", script, socket],
            environment: ["PATH": "/usr/bin:/bin"], log: place.hostLog)
        #expect(await process.nextChange() == .exited(0), "\(place.logs)")
        #expect(place.lines(of: place.directory + "/agent/agent.log").contains { $0.contains("65534") })
    }

    @Test("a directory with a path longer than a socket address holds works")
    func longPath() async throws {
        let place = try place()
        let long = place.folder.path + "/" + String(repeating: "a-long-folder-name/", count: 10) + "scheduler"
        let event = try await place.run(try place.download()) { $0.directory = URL(filePath: long) }
        #expect(event?.success == true, "\(event?.message ?? "")")
        let process = try ChildProcess(
            "/usr/bin/pkill", ["-f", "agent --directory \(long)"], environment: [:], log: place.hostLog)
        _ = await process.nextChange()
    }

    @Test("an agent whose log is full renames it while it runs, and continues in a new one")
    func fullLog() async throws {
        let place = try place()
        let folder = place.directory + "/agent"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o700)
        // Space for the first line, which names the directory, but not for all lines of a download.
        var old = Data(repeating: UInt8(ascii: "x"), count: (1 << 20) - 400 - place.directory.utf8.count)
        old[old.count - 1] = UInt8(ascii: "\n")
        try old.write(to: URL(filePath: place.agentLog))
        let scheduler = try place.scheduler()
        var events = scheduler.eventBus.events.makeAsyncIterator()
        try await scheduler.start()
        for _ in 0..<4 {
            try await scheduler.enqueue(try place.download())
            #expect(await events.next()?.success == true, "\(place.logs)")
        }
        await scheduler.shutdown()
        let older = try #require(FileManager.default.contents(atPath: place.agentLog + ".1"))
        #expect(older.starts(with: old))
        let before = String(decoding: older[old.count...], as: UTF8.self)
        #expect(before.contains("serving \(place.directory)"))
        #expect(older.count <= 1 << 20)
        let lines = place.lines(of: place.agentLog)
        #expect(lines.contains { $0.contains("delivered") }, "\(lines)")
        #expect(!lines.contains { $0.contains("serving ") }, "the same agent has gone on: \(lines)")
        let agent = try #require(place.agents.first)
        #expect(lines.allSatisfy { $0.contains("[\(agent)]") }, "\(lines)")
    }
}
