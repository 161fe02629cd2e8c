/// The agent's command line: `agent --directory DIR [--ready] [--idle-exit SECONDS]`.
struct AgentOptions: Sendable, Hashable {
    /// The scheduler's directory, absolute.
    var directory = ""
    /// Write a byte to descriptor 3 when listening.
    var signalsReadiness = false
    /// Leave after so many seconds without anything to do.
    var idleExitSeconds = 10

    struct Malformed: Error, Hashable, CustomStringConvertible {
        var description: String
    }

    /// `nil` when the arguments, the program's name left out, are not the agent's.
    init?(_ arguments: [String]) throws(Malformed) {
        guard arguments.first == "agent" else { return nil }
        var rest = arguments.dropFirst()
        while let name = rest.popFirst() {
            switch name {
            case "--ready": signalsReadiness = true
            case "--directory":
                guard let value = rest.popFirst() else { throw Malformed(description: "--directory needs a path") }
                directory = value
            case "--idle-exit":
                guard let value = rest.popFirst(), let seconds = Int(value), seconds >= 0 else {
                    throw Malformed(description: "--idle-exit needs a number of seconds, 0 or more")
                }
                idleExitSeconds = seconds
            default: throw Malformed(description: "\"\(name)\" is not understood by the agent")
            }
        }
        guard directory.hasPrefix("/") else {
            throw Malformed(description: "--directory needs the absolute path of a scheduler's directory")
        }
    }
}
