import BackgroundWork
import BackgroundWorkURLSession
import Synchronization

/// The background URL sessions of one process, with a ``SimulatedURLSessionDaemon`` in place of the system's.
///
/// A process has one of these, as it has one connection to the system's daemon. In a test that is app and daemon at
/// once, each of them is another launch of the app: ``disconnect()`` is the end of that process.
public final class SimulatedSessions: Sendable {
    private let connection: DaemonConnection
    private let sessions = Mutex<[String: SimulatedSession]>([:])

    /// Connects to the daemon that listens at a path: its `socketPath`. Throws an error that says why when there is
    /// none.
    public init(socketPath: String) throws {
        connection = try DaemonConnection(socketPath: socketPath)
        connection.start(
            onEvent: { [weak self] event in self?.sessions.withLock { $0[event.session] }?.receive(event) },
            onEnd: { [weak self] in self?.end() })
    }

    /// Connects to a daemon of this process.
    public convenience init(_ daemon: SimulatedURLSessionDaemon) throws {
        try self.init(socketPath: daemon.socketPath)
    }

    deinit { connection.close() }

    /// Says that the app has called the completion handler of
    /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)`. The daemon records it.
    public func completionHandlerCalled(_ identifier: String) {
        connection.tell(.completionHandlerCalled(session: identifier))
    }

    /// Ends the connection, as the death of the process does: no event reaches this process any more, and the daemon
    /// keeps them for the next one.
    public func disconnect() {
        connection.close()
        end()
    }

    private func end() {
        let ended = sessions.withLock { sessions in
            defer { sessions = [:] }
            return Array(sessions.values)
        }
        for session in ended { session.end() }
    }
}

extension SimulatedSessions: BackgroundSessionProvider {
    package var outlivesProcess: Bool { true }

    package func session(
        _ identifier: String, of store: String, receiver: any BackgroundSessionReceiver
    ) -> any BackgroundSession {
        let (session, isNew) = sessions.withLock { sessions in
            if let known = sessions[identifier] { return (known, false) }
            let session = SimulatedSession(identifier, connection)
            sessions[identifier] = session
            return (session, true)
        }
        session.add(receiver, of: store)
        if isNew { connection.tell(.attach(session: identifier)) }
        return session
    }
}

extension WorkScheduler.Configuration {
    /// Carries out transfers by simulated background URL sessions: with the code that Apple's platforms run, and a
    /// ``SimulatedURLSessionDaemon`` in place of the system's daemon. The scheduler keeps `sessions` in use.
    public mutating func useSimulatedSessions(_ sessions: SimulatedSessions) {
        makeTransferService = { URLSessionTransferService($0, provider: sessions) }
    }
}

extension StandaloneTransferConfiguration {
    /// The same for a `Downloader` or an `Uploader`.
    public mutating func useSimulatedSessions(_ sessions: SimulatedSessions) {
        makeTransferService = { URLSessionTransferService($0, provider: sessions) }
    }
}
