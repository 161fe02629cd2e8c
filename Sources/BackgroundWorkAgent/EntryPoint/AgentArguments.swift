/// The arguments after `agent`.
struct AgentArguments: Sendable, Hashable {
    static let usage = """
        usage: agent --directory DIR [--ready] [--idle-exit SECONDS | --stay]
               agent --directory DIR --install-unit [--print]
               agent --directory DIR --remove-unit
          --directory DIR        the scheduler's directory
          --ready                write one byte to descriptor 3 once the socket accepts connections
          --idle-exit SECONDS    leave after so long without clients, transfers and wakes (default 10)
          --stay                 never leave for idleness, and wait while another agent serves the directory
          --install-unit         write a systemd user unit that runs the agent of the directory, and say how to start it
          --print                write nothing, print the unit
          --remove-unit          delete that unit
        """

    enum Action: Sendable, Hashable {
        case serve
        case installUnit
        case printUnit
        case removeUnit
    }

    var action = Action.serve
    var directory: String
    var reportsReady = false
    /// `nil` to stay until told to leave.
    var idleExit: Duration? = .seconds(10)

    struct UsageError: Error, CustomStringConvertible {
        var description: String
    }

    init(directory: String) { self.directory = directory }

    init(parsing arguments: [String]) throws(UsageError) {
        self.init(directory: "")
        var flags: Set<String> = []
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--directory":
                guard let value = rest.popFirst(), !value.isEmpty else {
                    throw UsageError(description: "--directory needs the path of a folder")
                }
                directory = value
            case "--idle-exit":
                guard let value = rest.popFirst(), let seconds = Double(value), seconds >= 0, seconds <= 1e9 else {
                    throw UsageError(description: "--idle-exit needs a number of seconds, 0 or more")
                }
                idleExit = .seconds(seconds)
            case "--ready", "--stay", "--install-unit", "--remove-unit", "--print":
                flags.insert(option)
            default:
                throw UsageError(description: "unknown argument \"\(option.printable)\"")
            }
        }
        guard !directory.isEmpty else { throw UsageError(description: "--directory is missing") }
        reportsReady = flags.contains("--ready")
        if flags.contains("--stay") { idleExit = nil }
        action = try Self.action(flags)
    }

    private static func action(_ flags: Set<String>) throws(UsageError) -> Action {
        switch (flags.contains("--install-unit"), flags.contains("--remove-unit"), flags.contains("--print")) {
        case (false, false, false): return .serve
        case (true, false, false): return .installUnit
        case (true, false, true): return .printUnit
        case (false, true, false): return .removeUnit
        case (true, true, _): throw UsageError(description: "--install-unit and --remove-unit exclude each other")
        case (false, _, true): throw UsageError(description: "--print goes with --install-unit only")
        }
    }
}
