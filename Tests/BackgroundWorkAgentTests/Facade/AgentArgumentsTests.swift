import Testing

@testable import BackgroundWorkAgent

@Suite("The agent's arguments")
struct AgentArgumentsTests {
    @Test("all of them, in any order")
    func complete() throws {
        let arguments = try AgentArguments(parsing: ["--ready", "--idle-exit", "2.5", "--directory", "/d"])
        #expect(arguments.directory == "/d")
        #expect(arguments.reportsReady)
        #expect(arguments.idleExit == .milliseconds(2500))
        #expect(try AgentArguments(parsing: ["--directory", "/d"]).idleExit == .seconds(10))
    }

    @Test(
        "what is wrong is named",
        arguments: [
            ([], "--directory is missing"), (["--directory"], "--directory needs"),
            (["--directory", "/d", "x"], "\"x\""),
            (["--directory", "/d", "--idle-exit"], "--idle-exit needs"),
            (["--directory", "/d", "--idle-exit", "-1"], "--idle-exit needs"),
            (["--directory", "/d", "--idle-exit", "nan"], "--idle-exit needs"),
        ] as [([String], String)])
    func wrong(arguments: [String], words: String) {
        let error = #expect(throws: AgentArguments.UsageError.self) { try AgentArguments(parsing: arguments) }
        #expect(error?.description.contains(words) == true)
    }
}
