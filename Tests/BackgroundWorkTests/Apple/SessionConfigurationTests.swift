import BackgroundWork
import BackgroundWorkFoundation
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// `Downloader` and `Uploader` in the session of a host's configuration.
struct SessionConfigurationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func session() -> URLSessionConfiguration {
        let session = URLSessionConfiguration.background(withIdentifier: "com.example.\(UUID().uuidString)")
        session.httpAdditionalHeaders = ["X-Session": "mine"]
        return session
    }

    @Test("a configuration that is no background one is refused")
    func foreground() {
        #expect(throws: ConfigurationError.sessionNotInBackground) {
            _ = try Downloader(sessionConfiguration: .ephemeral)
        }
    }

    @Test("options that the system does not know are refused by their names")
    func limits() throws {
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: folder.path))
        configuration.transferLimits.bytesPerSecond = 1000
        let error = #expect(throws: ConfigurationError.self) {
            _ = try WorkScheduler(configuration: configuration, workers: WorkerRegistry())
        }
        #expect(error?.description.contains("transferLimits.bytesPerSecond") == true)
    }

    @Test("the default sessions are named after the bundle, and differ from each other")
    func identifiers() {
        let directory = URL(filePath: folder.path)
        let names = [
            WorkScheduler.Configuration(directory: directory).sessionIdentifier,
            StandaloneTransferConfiguration(directory: directory).sessionIdentifier,
        ]
        let program = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        #expect(Set(names).count == 2)
        #expect(names.allSatisfy { $0.hasPrefix(program) && $0.contains("BackgroundWork") })
    }

    @Test("a download of a URLRequest has the session's headers and its own, and the response comes with the file")
    func download() async throws {
        let server = try LocalHTTPServer()
        server.serve(.bytes(Array("the film".utf8)), at: "/film")
        try server.start()
        var configuration = try StandaloneTransferConfiguration(
            sessionConfiguration: session(), directory: URL(filePath: folder.path + "/record"))
        // The server is on this machine.
        configuration.securityPolicy = .unrestricted
        let downloader = try Downloader(configuration: configuration)
        var request = URLRequest(url: try #require(URL(string: server.url("/film"))))
        request.setValue("own", forHTTPHeaderField: "X-Request")
        let file = URL(filePath: folder.path + "/film")
        let response = await downloader.networkResponse(from: request, savingTo: file, with: "film")
        let film = try #require(response.value, "\(response)")
        #expect(film.response?.statusCode == 200)
        #expect(film.response?.url?.path() == "/film")
        #expect(try String(contentsOf: file, encoding: .utf8) == "the film")
        let seen = try #require(server.requests.first)
        #expect(seen.headers["x-session"] == "mine" && seen.headers["x-request"] == "own")
        await downloader.shutdown()
    }
}
