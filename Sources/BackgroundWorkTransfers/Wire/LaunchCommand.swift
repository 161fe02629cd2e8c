import BackgroundWorkFoundation

/// How the agent starts the host again when there is something to deliver and no process is running to receive it: an
/// absolute program path and its arguments. No shell is involved.
public struct LaunchCommand: Sendable, Hashable, Codable {
    /// `arguments[0]` is the program's absolute path.
    public var arguments: [String]
    /// The complete environment of the launched host.
    public var environment: [String: String]
    /// The folder it starts in, absolute.
    public var workingDirectory: String

    /// Creates a command. It is checked when the scheduler is created: with its environment it may have 1 MiB.
    public init(arguments: [String], environment: [String: String] = [:], workingDirectory: String = "/") {
        self.arguments = arguments
        self.environment = environment
        self.workingDirectory = workingDirectory
    }

    /// The program that is running now, with these arguments, and of its environment only what names the user's
    /// folders, language and libraries.
    public static func thisProgram(arguments: [String] = []) -> LaunchCommand {
        let environment = ProcessInfo.processInfo.environment
        let kept = [
            "HOME", "PATH", "LANG", "LC_ALL", "TZ", "XDG_RUNTIME_DIR", "TMPDIR", "LD_LIBRARY_PATH", "BGWORK_AGENT",
        ]
        let program =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments.first ?? ""
        return LaunchCommand(
            arguments: [program] + arguments, environment: environment.filter { kept.contains($0.key) })
    }

    /// Why the command is not valid; `nil` if it is.
    package var complaint: String? {
        guard let program = arguments.first else { return "it has no program" }
        if !program.hasPrefix("/") { return "\"\(program)\" is not an absolute path" }
        if !workingDirectory.hasPrefix("/") { return "the working directory \"\(workingDirectory)\" is not absolute" }
        do {
            _ = try FrameCodec.encode(ClientFrame(id: .max, request: .setLaunchCommand(command: self)))
        } catch FrameError.oversized(let bytes) {
            return "its message to the agent has \(bytes) bytes, and may have at most \(FrameCodec.maximumBytes)"
        } catch {
            return "\(error)"
        }
        return nil
    }
}
