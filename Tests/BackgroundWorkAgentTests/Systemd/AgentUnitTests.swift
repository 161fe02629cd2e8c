import Testing

@testable import BackgroundWorkAgent

@Suite("The agent's systemd unit")
struct AgentUnitTests {
    @Test(
        "what systemd would read as something else is escaped",
        arguments: [
            ("/plain", #""/plain""#), ("/a b", #""/a b""#), ("50%", #""50%%""#), ("%h %%", #""%%h %%%%""#),
            (#"say "hi""#, #""say \"hi\"""#), ("it's", #""it's""#), (#"back\slash"#, #""back\\slash""#),
            ("$HOME ${X}", #""$$HOME $${X}""#), ("two\nlines\u{7f}", #""two\x0alines\x7f""#), ("müll 🚚", #""müll 🚚""#),
            (#"\$%""#, #""\\$$%%\"""#), ("", #""""#), ("; :", #""; :""#),
        ])
    func arguments(text: String, quoted: String) { #expect(UnitQuoting.argument(text) == quoted) }

    @Test("in the program's own path a dollar sign stands for itself")
    func program() { #expect(UnitQuoting.program("/opt/$x 1%/p") == #""/opt/$x 1%%/p""#) }

    @Test(
        "the name is the path as systemd-escape writes it",
        arguments: [
            ("/srv/work", "srv-work"), ("/srv//work/", "srv-work"), ("/a b", #"a\x20b"#),
            ("/.hidden/x", #"\x2ehidden-x"#),
            ("/a-b/c.d_e:F9", #"a\x2db-c.d_e:F9"#), ("/é%", #"\xc3\xa9\x25"#), ("/", "-"),
        ])
    func names(directory: String, escaped: String) throws {
        #expect(try UnitName.of(directory: directory) == "bgwork-agent-\(escaped).service")
    }

    @Test("a name that no file could have is shortened, and still tells directories apart")
    func longNames() throws {
        let long = String(repeating: "/a-long-folder", count: 30)
        let names = try [UnitName.of(directory: long + "1"), UnitName.of(directory: long + "2")]
        #expect(names[0] != names[1])
        for name in names {
            #expect(name.utf8.count <= 251)
            #expect(name.hasPrefix(#"bgwork-agent-a\x2dlong"#) && name.hasSuffix(".service"))
        }
    }

    @Test("the unit runs this program for the directory, permanently, from login on")
    func text() throws {
        let unit = try AgentUnit(directory: "/srv/my work", program: "/usr/bin/bgwork")
        let lines = unit.text.split(separator: "\n")
        #expect(lines.contains(#"ExecStart="/usr/bin/bgwork" "agent" "--directory" "/srv/my work" "--stay""#))
        for line in ["Type=simple", "Restart=on-failure", "KillMode=process", "WantedBy=default.target"] {
            #expect(lines.contains { $0 == line })
        }
    }

    @Test("units lie where XDG says, and a relative path does not count")
    func folder() throws {
        #expect(try UnitFolder(environment: ["HOME": "/h", "XDG_CONFIG_HOME": "/c"]).path == "/c/systemd/user")
        #expect(try UnitFolder(environment: ["HOME": "/h", "XDG_CONFIG_HOME": "c"]).path == "/h/.config/systemd/user")
        #expect(throws: UnitFolder.NoHome.self) { try UnitFolder(environment: [:]) }
    }
}
