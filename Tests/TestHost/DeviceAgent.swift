import BackgroundWorkAgent
import BackgroundWorkModel
import Foundation
import Glibc

/// The agent on a device whose conditions a test sets: `device-agent PIPE agent DIRECTORY`.
enum DeviceAgent {
    /// Each byte that is written to the named pipe is the conditions that hold from then on; a line of output says when
    /// the agent has been told.
    struct Device: DeviceWatching {
        var pipe: String

        func watch(
            _ interest: Constraints, onChange: @escaping @Sendable (DeviceState) -> Void
        ) -> @Sendable () -> Void {
            let pipe = pipe
            Thread.detachNewThread {
                let descriptor = open(pipe, O_RDONLY | O_CLOEXEC)
                defer { close(descriptor) }
                var byte: UInt8 = 0
                while read(descriptor, &byte, 1) == 1 {
                    onChange(DeviceState(satisfied: Constraints(rawValue: Int(byte))))
                    say("told \(byte)")
                }
            }
            return {}
        }
    }

    static func run(_ arguments: [String]) throws -> Never {
        guard arguments.count == 3 else { exit(64) }
        try BackgroundWorkAgent.run(
            directory: arguments[2], readyDescriptor: nil, idleExit: .seconds(30), device: Device(pipe: arguments[0]))
        exit(0)
    }
}
