#if os(Linux)
import BackgroundWorkConsole
import BackgroundWorkSystem

/// What the program prints. A reader that has gone away ends it quietly, as it does other programs of a pipe.
enum Output {
    static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

    static func line(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

    static func complain(_ text: String) { write("bgwork: \(text)\n", to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { BackgroundWorkSystem.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                exit(1)
            }
        }
    }
}

/// The terminal that standard output goes to.
enum Window {
    static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Columns and lines now; 80 and 24 where there is no terminal, or it does not say.
    static var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}

/// Lines that are redrawn in place on a terminal. The cursor is hidden meanwhile, and comes back however the program
/// is asked to end.
struct LiveLines {
    private static let endings = [SIGINT, SIGTERM, SIGHUP]

    private var repaint = Repaint()
    private var drawn: [String] = []
    private var drawnWidth = 0

    init() {
        for number in Self.endings {
            // What happens in here is what POSIX allows in a handler.
            signal(number) { number in
                let text: StaticString = "\u{1b}[?25h\n"
                _ = write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
                // As it would have ended without this; delivered when the handler returns.
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        Output.write(Repaint.hideCursor)
    }

    /// Draws what differs from what stands there.
    mutating func draw(_ lines: [String], width: Int) {
        guard lines != drawn || width != drawnWidth else { return }
        Output.write(repaint.sequence(lines, width: width))
        (drawn, drawnWidth) = (lines, width)
    }

    /// Leaves what was drawn last where it stands.
    func end() {
        Output.write((drawn.isEmpty ? "" : "\n") + Repaint.showCursor)
        for number in Self.endings { signal(number, SIG_DFL) }
    }
}
#endif
