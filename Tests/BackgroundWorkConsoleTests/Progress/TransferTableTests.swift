import BackgroundWorkConsole
import Testing

/// Transfers as lines that stay.
struct TransferTableTests {
    private static let many: [ShownTransfer] = [
        .sample(),
        .sample(
            "0d4f6c1e-7b0f-4f5a-9a3e-5f3d5c1b2a00", number: 12, phase: .waiting(.unmeteredNetwork), bytes: 0, of: nil,
            rate: nil, path: "/home/me/映画の長い名前がここに続きます.mp4"),
        .sample("third", number: 1234, phase: .failed(message: "the server\u{1b}[2J answered 404 for a long reason")),
    ]

    @Test("a table that is wide enough shows everything")
    func wide() {
        let lines = TransferTable.lines([.sample()], width: 200)
        #expect(
            lines == [
                "NO ID   DIR  PHASE          BYTES   %     RATE NAME",
                " 7 film down running 25.0/50.0 MB 50% 3.1 MB/s film.mp4",
            ])
    }

    @Test("no line is wider than asked for", arguments: [10, 40, 60, 80, 81, 120, 300])
    func fits(width: Int) {
        for line in TransferTable.lines(Self.many, width: width) { #expect(TerminalText.width(line) <= width) }
    }

    @Test("at 80 columns number, phase and bytes stay whole, and nothing reaches the terminal but text")
    func eighty() {
        let lines = TransferTable.lines(Self.many, width: 80)
        #expect(lines.count == 4)
        #expect(lines[1].contains("running") && lines[1].contains("25.0/50.0 MB") && lines[1].contains("50%"))
        #expect(lines[2].contains("waiting for") && lines[2].contains("映画"))
        #expect(lines[3].hasPrefix("1234 third") && lines[3].contains("failed: "))
        #expect(!lines.joined().contains("\u{1b}"))
    }

    @Test("a name comes from the URL where the server is to name the file")
    func names() {
        #expect(ShownTransfer.sample(path: "/home/me/").name == "film.mp4")
        #expect(ShownTransfer.sample(path: "/home/me/a\nb").name == "a?b")
        #expect(ShownTransfer.sample(path: "", url: "").name == "film")
    }

    @Test("an object has every field on one line, and null for what is unknown")
    func json() throws {
        #expect(
            try TransferJSON.line(.sample()) == """
                {"bytes":25000000,"bytesPerSecond":3100000,"direction":"download","fraction":0.5,"group":null,"id":"film",\
                "message":null,"name":"film.mp4","number":7,"path":"/home/me/film.mp4","phase":"running","priority":"normal",\
                "reason":null,"secondsLeft":8,"session":"session","totalBytes":50000000,\
                "url":"https://example.com/film.mp4"}
                """)
        let waiting = try TransferJSON.line(Self.many[1])
        #expect(waiting.contains(#""phase":"waiting""#) && waiting.contains(#""reason":"unmeteredNetwork""#))
        #expect(waiting.contains(#""totalBytes":null"#) && waiting.contains(#""fraction":null"#))
        let failed = try TransferJSON.line(Self.many[2])
        #expect(failed.contains(#"\u001b[2J answered 404"#) && !failed.contains("\n"))
        #expect(try TransferJSON.lineOfGone(.sample()).contains(#""phase":"gone""#))
        #expect(try TransferJSON.array([]) == "[]")
        #expect(try TransferJSON.array(Self.many).split(separator: "\n").count == 5)
    }

    @Test("a line comes at a change of phase and at each tenth, and not in between")
    func changes() {
        var lines = ChangeLines()
        func say(_ bytes: Int64, _ change: (inout ShownTransfer) -> Void = { _ in }) -> String? {
            var transfer = ShownTransfer.sample(bytes: bytes, of: 100, rate: nil)
            change(&transfer)
            return lines.line(for: transfer)
        }
        #expect(say(0) { $0.phase = .waiting(.slot) } == "7 film.mp4: waiting for a free slot, 0%, 0/100 B")
        #expect(say(5) { $0.phase = .waiting(.slot) } == nil)
        #expect(say(5) == "7 film.mp4: running, 5%, 5/100 B")
        #expect(say(9) == nil)
        #expect(say(31) { $0.bytesPerSecond = 10 } == "7 film.mp4: running, 31%, 31/100 B, 10 B/s")
        #expect(say(39) == nil)
        #expect(say(39) { $0.phase = .paused } == "7 film.mp4: paused, 39%, 39/100 B")
        #expect(say(100) { $0.phase = .succeeded } == "7 film.mp4: succeeded, 100%, 100/100 B")
    }
}
