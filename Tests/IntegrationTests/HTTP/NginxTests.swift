import BackgroundWork
import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Against a server that this project did not write.
@Suite(.serialized, .fewAtATime)
struct NginxTests {
    /// 4 MiB that are not the same twice.
    private static let content: [UInt8] = {
        var state: UInt64 = 42
        return (0..<4 << 20).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }()

    private func serve(rate: Int? = nil) async throws -> (Workplace, NginxServer, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let root = folder.path + "/root"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        // nginx serves as nobody when it is started by root.
        for path in [folder.path, root] { chmod(path, 0o777) }
        try Data(Self.content).write(to: URL(filePath: root + "/file"))
        return (try Workplace(), try await NginxServer(folder: folder.path, root: root, rate: rate), folder)
    }

    @Test("a download from nginx arrives whole")
    func plain() async throws {
        let (place, nginx, folder) = try await serve()
        let event = try await place.run(try place.download(url: "http://127.0.0.1:\(nginx.port)/file"))
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content))
        withExtendedLifetime(folder) {}
    }

    @Test("a killed agent resumes from nginx by range, at the byte it had")
    func resume() async throws {
        let (place, nginx, folder) = try await serve(rate: 2 << 20)
        let scheduler = try place.scheduler()
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        try await scheduler.enqueue(place.download(url: "http://127.0.0.1:\(nginx.port)/file"), id: "file")
        try await place.wait(for: "a part of the file") { (place.stagedBytes ?? 0) > 1 << 20 }
        for pid in place.agents { kill(pid, SIGSTOP) }
        let held = try #require(place.stagedBytes)
        try await place.killAgents()
        var iterator = stream.makeAsyncIterator()
        let event = await iterator.next()
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content))
        try await place.wait(for: "nginx's log") { nginx.requests.count == 2 }
        #expect(
            nginx.requests.contains { $0.contains(" 206 ") && $0.contains("\"bytes=\(held)-\"") }, "\(nginx.requests)")
        await scheduler.shutdown()
        withExtendedLifetime(folder) {}
    }

    @Test("a certificate that no known authority has signed is rejected at once, and the event says so")
    func unknownAuthority() async throws {
        let (place, nginx, folder) = try await serve()
        let event = try await place.run(
            try place.download(url: "https://127.0.0.1:\(nginx.tlsPort)/file", attempts: 3))
        #expect(event?.outcome == .failed)
        #expect(event?.attempt == 1)
        #expect(event?.message?.lowercased().contains("certificate") == true, "\(event?.message ?? "")")
        withExtendedLifetime(folder) {}
    }

    @Test("a certificate of an authority that the system trusts is accepted", .enabled(if: getuid() == 0))
    func trustedAuthority() async throws {
        let (place, nginx, folder) = try await serve()
        // The agent gets a mount namespace in which the system's bundle is this test's authority.
        try place.runAgentsIn(
            "unshare -m sh -c 'mount --bind \(nginx.certificateAuthority) /etc/ssl/certs/ca-certificates.crt "
                + "&& exec \"$0\" \"$@\"'")
        let event = try await place.run(try place.download(url: "https://127.0.0.1:\(nginx.tlsPort)/file"))
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content))
        withExtendedLifetime(folder) {}
    }
}
