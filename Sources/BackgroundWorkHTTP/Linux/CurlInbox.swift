import BackgroundWorkExchange
import BackgroundWorkFiles
import Synchronization

/// What the threads of a process want of the network's thread.
final class CurlInbox: Sendable {
    enum Command: Sendable {
        case begin(HTTPCall)
        /// It has ended from outside.
        case stop(HTTPCall)
        /// Its sink has room.
        case hasRoom(HTTPCall)
        /// Its body has more bytes.
        case hasMore(HTTPCall)
        case close
    }

    private let commands = Mutex<[Command]>([])
    private let wake: WakeDescriptor

    /// Throws a `FileError` when the process has no descriptor left.
    init() throws { wake = try WakeDescriptor() }

    /// To be watched by the network's thread.
    var descriptor: Int32 { wake.descriptor }

    func add(_ command: Command) {
        let isFirst = commands.withLock { commands in
            commands.append(command)
            return commands.count == 1
        }
        if isFirst { wake.wake() }
    }

    /// All commands since the last call.
    func takeAll() -> [Command] {
        commands.withLock { commands in
            // Before they are taken: who adds one now wakes the thread again.
            if !commands.isEmpty { wake.clear() }
            defer { commands = [] }
            return commands
        }
    }
}
