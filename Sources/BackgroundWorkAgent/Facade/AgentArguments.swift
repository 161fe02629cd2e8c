/// The arguments after `agent`: `--directory DIR [--ready] [--idle-exit SECONDS]`.
struct AgentArguments: Sendable, Hashable {
    static let usage = """
        usage: agent --directory DIR [--ready] [--idle-exit SECONDS]
          --directory DIR        the scheduler's directory
          --ready                write one byte to descriptor 3 once the socket accepts connections
          --idle-exit SECONDS    leave after so long without clients and transfers (default 10)
        """

    var directory: String
    var reportsReady = false
    var idleExit = Duration.seconds(10)

    struct UsageError: Error, CustomStringConvertible {
        var description: String
    }

    init(directory: String) { self.directory = directory }

    init(parsing arguments: [String]) throws(UsageError) {
        var directory: String?
        var reportsReady = false
        var idleExit = Duration.seconds(10)
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--directory":
                guard let value = rest.popFirst(), !value.isEmpty else {
                    throw UsageError(description: "--directory needs the path of a folder")
                }
                directory = value
            case "--ready":
                reportsReady = true
            case "--idle-exit":
                guard let value = rest.popFirst(), let seconds = Double(value), seconds >= 0, seconds <= 1e9 else {
                    throw UsageError(description: "--idle-exit needs a number of seconds, 0 or more")
                }
                idleExit = .seconds(seconds)
            default:
                throw UsageError(description: "unknown argument \"\(option.printable)\"")
            }
        }
        guard let directory else { throw UsageError(description: "--directory is missing") }
        self.directory = directory
        self.reportsReady = reportsReady
        self.idleExit = idleExit
    }
}
