/// How the agent starts the host again: an absolute program path and its arguments, no shell.
package struct LaunchCommand: Sendable, Hashable, Codable {
    /// `arguments[0]` is the program's absolute path.
    package var arguments: [String]
    /// The complete environment of the launched host.
    package var environment: [String: String]
    /// The folder it starts in, absolute.
    package var workingDirectory: String

    package init(arguments: [String], environment: [String: String], workingDirectory: String) {
        self.arguments = arguments
        self.environment = environment
        self.workingDirectory = workingDirectory
    }
}
