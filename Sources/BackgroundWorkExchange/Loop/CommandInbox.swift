import BackgroundWorkFiles
import Synchronization

/// What the threads of a process want of a network's thread, in the order in which they have said so.
package final class CommandInbox<Command: Sendable>: Sendable {
    private let commands = Mutex<[Command]>([])
    private let wake: WakeDescriptor

    /// Throws a `FileError` when the process has no descriptor left.
    package init() throws(FileError) { wake = try WakeDescriptor() }

    /// To be watched by the network's thread.
    package var descriptor: Int32 { wake.descriptor }

    package func add(_ command: Command) {
        let isFirst = commands.withLock { commands in
            commands.append(command)
            return commands.count == 1
        }
        if isFirst { wake.wake() }
    }

    /// All commands since the last call.
    package func takeAll() -> [Command] {
        commands.withLock { commands in
            // Before they are taken: who adds one now wakes the thread again.
            if !commands.isEmpty { wake.clear() }
            defer { commands = [] }
            return commands
        }
    }
}
