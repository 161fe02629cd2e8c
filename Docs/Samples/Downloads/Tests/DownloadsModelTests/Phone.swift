import BackgroundWork
import BackgroundWorkSessionTesting
import BackgroundWorkTesting
import DownloadsModel
import Foundation
import Observation

/// A web server, the system's daemon, and the folder of an app that is launched more than once.
@MainActor
final class Phone {
    let server: LocalHTTPServer
    let daemon: SimulatedURLSessionDaemon
    let folder: URL

    init() throws {
        server = try LocalHTTPServer()
        daemon = try SimulatedURLSessionDaemon()
        folder = FileManager.default.temporaryDirectory.appending(path: "phone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try server.start()
    }

    /// A launch of the app.
    func launch() async throws -> Launch {
        let sessions = try SimulatedSessions(daemon)
        var configuration = WorkScheduler.Configuration(directory: folder.appending(path: "work"))
        configuration.sessionIdentifier = "downloads"
        configuration.securityPolicy = .unrestricted  // the server is on this machine
        configuration.useSimulatedSessions(sessions)
        let store = try DownloadStore(configuration: configuration, folder: folder)
        await store.start()
        return Launch(store: store, sessions: sessions)
    }

    func contents(of name: String) -> Data? { FileManager.default.contents(atPath: folder.appending(path: name).path) }

    func remove() throws {
        daemon.stop()
        server.stop()
        try FileManager.default.removeItem(at: folder)
    }
}

/// The app while it runs.
@MainActor
struct Launch {
    let store: DownloadStore
    let sessions: SimulatedSessions

    var download: Download? { store.downloads.first }

    /// Returns when the condition holds, which only reads the store.
    func wait(until condition: @escaping @MainActor (DownloadStore) -> Bool) async {
        while !condition(store) {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = condition(store)
                } onChange: {
                    continuation.resume()
                }
            }
        }
    }

    /// The system ends the app: no event reaches it any more.
    func end() async {
        sessions.disconnect()
        await store.stop()
    }
}
