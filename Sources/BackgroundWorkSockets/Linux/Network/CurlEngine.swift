import BackgroundWorkExchange
import BackgroundWorkFiles
import BackgroundWorkSystem
import Synchronization

/// Connects by libcurl, and speaks RFC 6455 over what it has connected, on a thread of its own that begins with the first
/// connection.
final class CurlEngine: WebSocketEngine {
    enum Command: Sendable {
        case open(SocketChannel)
        /// There is something to send, or room for messages, or it has ended.
        case attend(SocketChannel)
        case close
    }

    /// Of the thread, once there is one.
    private let inbox = Mutex<CommandInbox<Command>?>(nil)

    init() {}

    func connect(_ socket: PreparedSocket) async throws -> any WebSocketChannel {
        let inbox = try inbox(for: socket)
        let channel = SocketChannel(socket) { inbox.add(.attend($0)) }
        inbox.add(.open(channel))
        do {
            try await channel.opened.value()
        } catch {
            channel.cut(.released(socket.url))
            // Its body did not end in time; what it is about is known.
            if error is CancellationError, let rejection = channel.rejection {
                throw WebSocketError.rejected(rejection, socket.url)
            }
            throw error
        }
        return channel
    }

    private func inbox(for socket: PreparedSocket) throws(WebSocketError) -> CommandInbox<Command> {
        let result = inbox.withLock { known -> Result<CommandInbox<Command>, WebSocketError> in
            if let known { return .success(known) }
            do {
                let inbox = try CommandInbox<Command>()
                let interest = try InterestSet()
                let isStarted = SystemThread.start { SocketLoop(inbox, interest).run() }
                guard isStarted else {
                    throw FileError(action: "start a thread for", path: "WebSockets", code: EAGAIN)
                }
                known = inbox
                return .success(inbox)
            } catch {
                return .failure(.network("\(error)", socket.url))
            }
        }
        return try result.get()
    }

    func close() { inbox.withLock { $0 }?.add(.close) }
}

/// What opens connections here.
typealias PlatformEngine = CurlEngine
