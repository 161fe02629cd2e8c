import BackgroundWorkConsole
import Testing

/// Lines that are drawn in place.
struct TransferScreenTests {
    @Test("a bar fills with the received bytes, and is empty while the length is unknown")
    func bars() {
        #expect(ProgressBar.text(0, width: 12) == "[          ]")
        #expect(ProgressBar.text(0.5, width: 12) == "[====>     ]")
        #expect(ProgressBar.text(1, width: 12) == "[==========]")
        #expect(ProgressBar.text(nil, width: 12) == "[          ]")
        #expect(ProgressBar.text(7, width: 12) == "[==========]")
        #expect(ProgressBar.text(0.5, width: 0) == "[ ]")
    }

    @Test("a line of a usual window has name, bar, percent, bytes, speed and time left")
    func usual() {
        let lines = TransferScreen.lines([.sample()], width: 80, height: 24)
        #expect(lines.count == 2)
        for part in ["film.mp4 ", "[=======>", " 50% ", "25.0/50.0 MB", "3.1 MB/s", "9s"] {
            #expect(lines[0].contains(part), "\(lines[0])")
        }
        #expect(lines[1] == "0 of 1 done, 25.0/50.0 MB, 3.1 MB/s, 9s left")
    }

    @Test("no line reaches the edge of the window", arguments: 1...130)
    func widths(width: Int) {
        let transfers: [ShownTransfer] = [
            .sample(), .sample(path: "/映画の長い名前がここに続きますさらに続きます.mp4"),
            .sample(phase: .waiting(.unmeteredNetwork), bytes: 0, of: nil, rate: nil), .sample(phase: .paused),
            .sample(bytes: 999_900_000, of: 999_900_000_000, rate: 999_900_000),
        ]
        for line in TransferScreen.lines(transfers, width: width, height: 24) {
            #expect(TerminalText.width(line) <= max(1, width - 1), "\(line)")
        }
    }

    @Test("lines of one window have the same width")
    func aligned() {
        let transfers: [ShownTransfer] = [
            .sample(), .sample(phase: .waiting(.slot), of: nil), .sample(phase: .paused), .sample(phase: .finishing),
        ]
        for width in [30, 50, 65, 80, 120] {
            let lines = TransferScreen.lines(transfers, width: width, height: 24).dropLast()
            #expect(Set(lines.map { TerminalText.width($0) }).count == 1, "\(lines)")
        }
    }

    @Test("transfers that do not fit the height are counted, and those in progress come first")
    func heights() {
        let transfers =
            (1...9).map { ShownTransfer.sample(number: $0, phase: .waiting(.slot), path: "/waiting\($0)") }
            + [.sample(number: 10, path: "/running")]
        let lines = TransferScreen.lines(transfers, width: 80, height: 5)
        #expect(lines.count == 4)
        #expect(lines[0].hasPrefix("running"))
        #expect(lines[1].hasPrefix("waiting1"))
        #expect(lines[3].contains("7 not shown"))
        #expect(TransferScreen.lines(transfers, width: 80, height: 1).count == 1)
        #expect(TransferScreen.lines([], width: 0, height: 0).count == 1)
    }

    @Test("ended ones leave the lines and stay in the totals")
    func ended() {
        let lines = TransferScreen.lines(
            [
                .sample(number: 1, phase: .succeeded, bytes: 50_000_000),
                .sample(number: 2, phase: .failed(message: "no")),
                .sample(number: 3),
            ], width: 80, height: 24)
        #expect(lines.count == 2)
        #expect(lines[1] == "1 of 3 done, 1 failed, 75.0/100.0 MB, 3.1 MB/s, 9s left")
    }

    @Test("a repaint goes back over what it drew, also when a narrower window has broken it up")
    func repaint() {
        var repaint = Repaint()
        #expect(repaint.sequence(["a", "b"], width: 80) == "\ra\u{1b}[K\r\nb\u{1b}[K\u{1b}[J")
        #expect(repaint.sequence(["c"], width: 80) == "\r\u{1b}[1Ac\u{1b}[K\u{1b}[J")
        #expect(repaint.sequence([String(repeating: "x", count: 30), "y"], width: 80).hasPrefix("\rx"))
        // Thirty columns take three rows of ten now, and the other line one.
        #expect(repaint.sequence(["z"], width: 10).hasPrefix("\r\u{1b}[3Az"))
    }
}
