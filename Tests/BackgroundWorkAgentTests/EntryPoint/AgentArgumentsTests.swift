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

    @Test("what to do besides serving, and for how long")
    func actions() throws {
        let directory = ["--directory", "/d"]
        #expect(try AgentArguments(parsing: directory).action == .serve)
        #expect(try AgentArguments(parsing: directory + ["--stay"]).idleExit == nil)
        #expect(try AgentArguments(parsing: ["--stay", "--idle-exit", "3"] + directory).idleExit == nil)
        #expect(try AgentArguments(parsing: ["--install-unit"] + directory).action == .installUnit)
        #expect(try AgentArguments(parsing: ["--print"] + directory + ["--install-unit"]).action == .printUnit)
        #expect(try AgentArguments(parsing: directory + ["--remove-unit"]).action == .removeUnit)
    }

    @Test(
        "what is wrong is named",
        arguments: [
            ([], "--directory is missing"), (["--directory"], "--directory needs"),
            (["--directory", "/d", "x"], "\"x\""),
            (["--directory", "/d", "--print"], "--print goes with"),
            (["--directory", "/d", "--remove-unit", "--print"], "--print goes with"),
            (["--directory", "/d", "--remove-unit", "--install-unit"], "exclude each other"),
            (["--directory", "/d", "--idle-exit"], "--idle-exit needs"),
            (["--directory", "/d", "--idle-exit", "-1"], "--idle-exit needs"),
            (["--directory", "/d", "--idle-exit", "nan"], "--idle-exit needs"),
        ] as [([String], String)])
    func wrong(arguments: [String], words: String) {
        let error = #expect(throws: AgentArguments.UsageError.self) { try AgentArguments(parsing: arguments) }
        #expect(error?.description.contains(words) == true)
    }
}
