import BackgroundWorkAgent
import BackgroundWorkModel
import BackgroundWorkSystem
import Foundation
import Synchronization

/// The agent on a device whose conditions a test sets: `device-agent PIPE agent DIRECTORY`.
enum DeviceAgent {
    /// Each byte that is written to the named pipe is the conditions that hold from then on; a line of output says when
    /// the watches of that moment have been told. A watch that begins says so as well, and is told nothing before the
    /// next byte.
    final class Device: DeviceWatching {
        private typealias Listener = @Sendable (DeviceState) -> Void

        private struct Watches {
            var count = 0
            var live: [Int: Listener] = [:]
        }

        private let pipe: String
        private let watches = Mutex(Watches())

        init(pipe: String) { self.pipe = pipe }

        func watch(
            _ interest: Constraints, onChange: @escaping @Sendable (DeviceState) -> Void
        ) -> @Sendable () -> Void {
            let number = watches.withLock { watches in
                watches.count += 1
                watches.live[watches.count] = onChange
                return watches.count
            }
            if number == 1 { Thread.detachNewThread { self.readPipe() } }
            say("watches \(interest.rawValue)")
            return { self.watches.withLock { $0.live[number] = nil } }
        }

        private func readPipe() {
            let descriptor = open(pipe, O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            var byte: UInt8 = 0
            while read(descriptor, &byte, 1) == 1 {
                let state = DeviceState(satisfied: Constraints(rawValue: Int(byte)))
                for listener in watches.withLock({ $0.live.values }) { listener(state) }
                say("told \(byte)")
            }
        }
    }

    static func run(_ arguments: [String]) throws -> Never {
        guard arguments.count == 3 else { exit(64) }
        try BackgroundWorkAgent.run(
            directory: arguments[2], readyDescriptor: nil, idleExit: .seconds(600), device: Device(pipe: arguments[0]))
        exit(0)
    }
}
