import Foundation

/// The programs under test, as they were built beside the tests.
enum Programs {
    private static let folder =
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path

    static var agent: String { folder + "/bgwork" }
    /// The agent's own program, with nothing else in it.
    static var agentAlone: String { folder + "/bgwork-agent" }
    /// The host of the simulated URL sessions.
    static var sessionHost: String { folder + "/bgwork-session-host" }
    /// The host of the simulated system.
    static var systemHost: String { folder + "/bgwork-system-host" }
    static var host: String { folder + "/bgwork-test-host" }
}
