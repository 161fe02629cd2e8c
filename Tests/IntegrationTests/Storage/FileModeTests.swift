import BackgroundWork
import BackgroundWorkSystem
import Foundation
import TestSupport
import Testing

/// The permissions of what is saved, and of what the package keeps for itself, in real processes.
@Suite(.serialized, .fewAtATime)
struct FileModeTests {
    /// A host whose daemon is a folder, with a umask.
    private func place(
        _ place: Workplace, _ policy: DuplicatePolicy = .overwrite, umask: String, mode: String? = nil,
        at point: KillPoint? = nil
    ) throws -> ChildProcess {
        try host(
            place, ["place", place.directory, place.savePath, policy.rawValue] + (mode.map { [$0] } ?? []),
            umask: umask, at: point)
    }

    private func host(
        _ place: Workplace, _ arguments: [String], umask: String, at point: KillPoint? = nil
    ) throws -> ChildProcess {
        // Preloaded into the host only: the shell makes such calls as well.
        let variables = place.hostEnvironment(stoppingAt: point)
        let preload = variables["LD_PRELOAD"].map { "LD_PRELOAD='\($0)' " } ?? ""
        return try ChildProcess(
            "/bin/sh", ["-c", "umask \(umask); \(preload)exec \"$0\" \"$@\"", Programs.host] + arguments,
            environment: variables.filter { $0.key != "LD_PRELOAD" }, log: place.hostLog)
    }

    @Test(
        "a saved file has the permissions that the umask leaves to a new file",
        arguments: [("000", 0o666), ("022", 0o644), ("027", 0o640), ("077", 0o600)] as [(String, UInt16)],
        [DuplicatePolicy.overwrite, .rename])
    func umask(_ pair: (umask: String, expected: UInt16), policy: DuplicatePolicy) async throws {
        let workplace = try Workplace()
        #expect(await (try place(workplace, policy, umask: pair.umask)).nextChange() == .exited(0), "\(workplace.logs)")
        #expect(SystemFile.mode(of: workplace.savePath) == pair.expected)
    }

    @Test("fileMode is set whatever the umask is", arguments: ["0640", "0666", "0755", "0400"], ["022", "077"])
    func fileMode(mode: String, umask: String) async throws {
        let workplace = try Workplace()
        #expect(await (try place(workplace, umask: umask, mode: mode)).nextChange() == .exited(0), "\(workplace.logs)")
        #expect(SystemFile.mode(of: workplace.savePath) == UInt16(mode, radix: 8))
    }

    /// Runs the host again and again, ending it before its first call, its second, and so on.
    private func dieEverywhere(_ policy: DuplicatePolicy, _ workplace: () throws -> Workplace) async throws {
        for number in 1..<1_000 {
            let workplace = try workplace()
            let first = try place(workplace, policy, umask: "022", mode: "0604", at: .call(number).dying)
            let end = await first.nextChange()
            let saved = SystemFile.mode(of: workplace.savePath)
            #expect(saved == nil || saved == 0o604, "after call \(number): \(workplace.logs)")
            if end == .exited(0) {
                #expect(number > 10 && saved == 0o604)
                return
            }
            #expect(end == .signalled(SIGKILL), "\(workplace.logs)")
            let second = try place(workplace, policy, umask: "077", mode: "0604")
            #expect(await second.nextChange() == .exited(0), "after call \(number): \(workplace.logs)")
            #expect(SystemFile.mode(of: workplace.savePath) == 0o604, "after call \(number)")
        }
        Issue.record("the host never ended by itself")
    }

    @Test(
        "wherever the process dies, a file under its name has its permissions",
        arguments: [DuplicatePolicy.overwrite, .rename])
    func deaths(policy: DuplicatePolicy) async throws { try await dieEverywhere(policy) { try Workplace() } }

    @Test(
        "the same on another volume, to which the file is copied",
        .enabled(if: getuid() == 0, "mounting a volume needs root"))
    func deathsAcrossVolumes() async throws {
        let volumes = Recorder<SmallVolume>()
        defer { for volume in volumes.values { volume.unmount() } }
        try await dieEverywhere(.overwrite) {
            let workplace = try Workplace()
            volumes.add(try SmallVolume(at: workplace.folder.path + "/downloads", kilobytes: 256))
            return workplace
        }
    }

    /// All that is in a folder, with the folder itself.
    private func modes(in folder: String) throws -> [String: UInt16] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return Dictionary(
            ([""] + names).compactMap { name in
                SystemFile.mode(of: folder + "/" + name).map { (name, $0) }
            }, uniquingKeysWith: { $1 })
    }

    private func expectPrivate(_ folder: String, except names: Set<String> = []) throws -> Set<String> {
        let modes = try modes(in: folder)
        for (name, mode) in modes where !names.contains(name) {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
            #expect(mode == (isFolder.boolValue ? 0o700 : 0o600), "\(name): \(String(mode, radix: 8))")
        }
        return Set(modes.keys)
    }

    @Test("what a scheduler and its agent keep is for their user alone", arguments: ["000", "022"])
    func ownFiles(umask: String) async throws {
        let workplace = try Workplace(serving: HostDeathTests.content)
        // The test has made it.
        SystemFile.setMode(0o700, of: workplace.directory)
        let arguments = [
            "--directory", workplace.directory, "--agent", workplace.agentScript, "--url",
            workplace.server.url("/file"),
            "--save-path", workplace.savePath,
        ]
        let stopping = KillPoint.at(.before, "mode", ".part")
        let host = try host(workplace, arguments, umask: umask, at: stopping)
        #expect(await host.nextChange() == .stopped, "\(workplace.logs)")
        let found = try expectPrivate(workplace.directory, except: ["effects.log"])
        await host.killAndWait()
        for name in ["work.sqlite", "work.sqlite-wal", "agent", "agent/agent.sqlite", "bg_url_session_state.json"] {
            #expect(found.contains(name), "\(found.sorted())")
        }
        #expect(found.contains { $0.hasSuffix(".part") }, "\(found.sorted())")
    }

    @Test("what a downloader keeps is for its user alone, and its folder too", arguments: ["000", "022"])
    func standaloneFiles(umask: String) async throws {
        let workplace = try Workplace(serving: HostDeathTests.content)
        try FileManager.default.removeItem(atPath: workplace.directory)
        let arguments = [
            "direct", workplace.directory, workplace.agentScript, workplace.server.url("/file"), workplace.savePath,
        ]
        let host = try host(workplace, arguments, umask: umask)
        #expect(await host.nextChange() == .exited(0), "\(workplace.logs)")
        #expect(try expectPrivate(workplace.directory).contains("standalone.sqlite"))
        #expect(SystemFile.mode(of: workplace.savePath) == (umask == "000" ? 0o666 : 0o644))
    }

    @Test("a direct download and upload stay in the folders that the policy allows, also behind links")
    func allowedDirectories() async throws {
        let workplace = try Workplace(serving: HostDeathTests.content, acceptingUploadsAt: "/upload")
        let (inside, outside) = (workplace.folder.path + "/in", workplace.folder.path + "/out")
        for folder in [inside, outside] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(atPath: inside + "/door", withDestinationPath: outside)
        try Data("secret".utf8).write(to: URL(filePath: outside + "/secret"))
        var configuration = workplace.standaloneConfiguration
        configuration.securityPolicy.allowedDirectories = [inside]
        let downloader = try Downloader(configuration: configuration)
        for path in [outside + "/file", inside + "/door/file", inside + "/door/new/file", inside + "/../out/file"] {
            let response = await downloader.networkResponse(
                from: workplace.standaloneDownload(to: path), with: "refused")
            guard case .failed(let error as WorkerInputError) = response else {
                Issue.record("\(path): \(response)")
                continue
            }
            #expect(error.reason.contains("\"savePath\""), "\(error)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["secret"])
        let saved = await downloader.networkResponse(
            from: workplace.standaloneDownload(to: inside + "/new/file"), with: "allowed")
        #expect(saved.value != nil, "\(saved)")
        await downloader.shutdown()
        let uploader = try Uploader(configuration: configuration)
        let upload = UploadConfiguration(url: workplace.server.url("/upload"), filePath: inside + "/door/secret")
        let response = await uploader.networkResponse(from: upload, with: "u")
        guard case .failed(let error as WorkerInputError) = response else {
            Issue.record("\(response)")
            return
        }
        #expect(error.reason.contains(outside + "/secret"), "\(error)")
        await uploader.shutdown()
    }
}
