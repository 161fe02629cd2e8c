import BackgroundWorkSessionTesting
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// A workplace whose hosts' transfers are those of a simulated daemon in the test's process.
final class SessionPlace: Sendable {
    static let session = "app"

    let place: Workplace
    let daemon: SimulatedURLSessionDaemon
    /// Hosts that the daemon has launched.
    private let launched: AsyncStream<ChildProcess>

    /// - Parameter launches: whether the daemon launches hosts.
    init(launches: Bool = true) throws {
        let place = try Workplace()
        let (launched, launches) = (AsyncStream<ChildProcess>.makeStream(), launches)
        self.place = place
        self.launched = launched.stream
        let reference = LockedReference()
        daemon = try SimulatedURLSessionDaemon { session in
            guard launches, let socket = reference.socketPath else { return }
            do {
                let host = try place.startSessionHost(socket, ["--launched", session])
                launched.continuation.yield(host)
            } catch {
                Issue.record("The host could not be launched: \(error)")
            }
        }
        reference.socketPath = daemon.socketPath
    }

    deinit { daemon.stop() }

    /// Starts a host that downloads `/file`.
    func startDownload(stoppingAt point: KillPoint? = nil, _ more: [String] = []) throws -> ChildProcess {
        try place.startSessionHost(
            daemon.socketPath, more + ["--download", place.server.url("/file"), place.savePath], stoppingAt: point)
    }

    /// The file that uploads send.
    var source: String { place.folder.path + "/source.bin" }

    /// Starts a host that sends the source to `/upload`.
    func startUpload(stoppingAt point: KillPoint? = nil, _ more: [String] = []) throws -> ChildProcess {
        try place.startSessionHost(
            daemon.socketPath, more + ["--upload", place.server.url("/upload"), source], stoppingAt: point)
    }

    /// The next host that the daemon launches.
    func nextLaunch() async throws -> ChildProcess {
        for await host in launched { return host }
        throw Workplace.Timeout(what: "a launch", log: place.logs)
    }

    /// How the daemon's records, from the last launch on, name what the app did.
    func recordsOfLaunch() async -> [SimulatedURLSessionDaemon.Event] {
        let events = await daemon.records.map(\.event)
        return Array(events.drop { $0 != .launched(session: Self.session) })
    }

    /// What must hold when the transfer has ended, wherever a host died.
    func expectFinished(
        requests: ClosedRange<Int> = 1...1, _ context: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let context: Comment = "\(context)\n\(place.logs)"
        #expect(place.events.map(\.workID) == ["file"], context, sourceLocation: sourceLocation)
        #expect(place.events.allSatisfy { $0.outcome == "succeeded" }, context, sourceLocation: sourceLocation)
        #expect(place.stateEntries == 0, context, sourceLocation: sourceLocation)
        #expect(place.sessionJournal == [], context, sourceLocation: sourceLocation)
        #expect(leftovers.isEmpty, context, sourceLocation: sourceLocation)
        #expect(requests.contains(place.server.requests.count), context, sourceLocation: sourceLocation)
    }

    private var leftovers: [String] {
        let received = (try? FileManager.default.contentsOfDirectory(atPath: place.directory + "/url_sessions")) ?? []
        return place.leftovers + received.filter { $0.hasSuffix(".part") || $0.contains(".body") }
    }
}

/// What the daemon's closure needs of the daemon.
private final class LockedReference: Sendable {
    private let path = Recorder<String>()
    var socketPath: String? {
        get { path.values.last }
        set { newValue.map(path.add) }
    }
}

extension Workplace {
    func startSessionHost(
        _ socketPath: String, _ more: [String] = [], stoppingAt point: KillPoint? = nil
    ) throws -> ChildProcess {
        try ChildProcess(
            Programs.sessionHost, [directory, socketPath] + more, environment: hostEnvironment(stoppingAt: point),
            log: hostLog)
    }

    /// The states of the URL sessions' transfers, by their journal; `nil` if there is none.
    var sessionJournal: [String]? {
        query("url_sessions/journal.sqlite", "SELECT state FROM transfers") { $0.text(0) }
    }
}
