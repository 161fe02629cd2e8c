import BackgroundWorkSystem

/// The systemd user unit that runs the agent of one directory, from login or boot on.
struct AgentUnit: Sendable, Hashable {
    /// A file name that ends in `.service`.
    let name: String
    let text: String

    /// - Parameters:
    ///   - directory: the scheduler's directory, absolute.
    ///   - program: the agent's program, absolute.
    init(directory: String, program: String) throws {
        name = try UnitName.of(directory: directory)
        let command =
            [UnitQuoting.program(program)] + ["agent", "--directory", directory, "--stay"].map(UnitQuoting.argument)
        text = """
            [Unit]
            Description=Background work of "\(UnitQuoting.line(directory))"

            [Service]
            Type=simple
            ExecStart=\(command.joined(separator: " "))
            Restart=on-failure
            RestartSec=10
            # Wrong arguments, an unsafe folder, a journal of a later version: trying again does not help.
            RestartPreventExitStatus=64 77 78
            # Hosts that the agent has launched continue without it.
            KillMode=process

            [Install]
            WantedBy=default.target

            """
    }

    /// For the program that is running now.
    init(directory: String) throws {
        try self.init(directory: directory, program: RunningProgram.path())
    }
}

/// The program of this process.
enum RunningProgram {
    private static let link = "/proc/self/exe"

    static func path() throws(SystemCallError) -> String {
        guard let resolved = realpath(link, nil) else { throw SystemCallError("readlink", link) }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
