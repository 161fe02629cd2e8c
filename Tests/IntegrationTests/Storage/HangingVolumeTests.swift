import Foundation
import TestSupport
import Testing

/// Paths of users on volumes that do not answer.
@Suite(.fewAtATime, .timeLimit(.minutes(5)))
struct HangingVolumeTests {
    @Test("a watched file on a volume that does not answer keeps nothing else from being stored and run")
    func watchedFile() async throws {
        let folder = try TemporaryFolder()
        var environment = ProcessInfo.processInfo.environment
        environment["LD_PRELOAD"] = PreloadedLibrary.hangingPath
        environment["HANGING_PATH"] = folder.path + "/volume"
        environment["HANGING_LOG"] = folder.path + "/hanging.log"
        let output = folder.path + "/host.log"
        let host = try ChildProcess(
            Programs.host,
            ["hanging-path", folder.path + "/scheduler", folder.path + "/volume/file", folder.path + "/hanging.log"],
            environment: environment, log: output)
        func said(_ line: String) async throws -> Bool {
            try await comesTrue {
                ((try? String(contentsOfFile: output, encoding: .utf8)) ?? "").split(separator: "\n").contains {
                    $0 == line
                }
            }
        }
        #expect(
            try await comesTrue { FileManager.default.fileExists(atPath: folder.path + "/hanging.log") },
            "nobody looked at the path")
        let areEnqueued = try await said("enqueued")
        #expect(areEnqueued, "the commits wait for the volume")
        if areEnqueued { #expect(try await said("ended")) }
        await host.killAndWait()
        // A launch that finds such a path among those that it has to inspect.
        environment["HANGING_PATH"] = nil
        let before = try ChildProcess(
            Programs.host,
            ["hanging-path", folder.path + "/scheduler", folder.path + "/volume/file", folder.path + "/hanging.log"],
            environment: environment, log: output)
        #expect(await before.nextChange() == .exited(0))
        environment["HANGING_PATH"] = folder.path + "/volume"
        try FileManager.default.removeItem(atPath: output)
        let next = try ChildProcess(
            Programs.host,
            ["hanging-path", folder.path + "/scheduler", folder.path + "/volume/file", folder.path + "/hanging.log"],
            environment: environment, log: output)
        let isStarted = try await said("started")
        #expect(isStarted, "the launch waits for the volume")
        if isStarted { #expect(try await said("ended")) }
        await next.killAndWait()
    }
}
