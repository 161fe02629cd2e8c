import BackgroundWorkConsole
import BackgroundWorkSystem

/// The program's output. When the reader of a pipe has closed it, the program ends without an error message.
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

    /// Columns and lines now; 80 and 24 where there is no terminal, or its size is unknown.
    static var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}

/// Lines that are redrawn in place on a terminal. The cursor is hidden meanwhile, and shown again, also when a signal
/// ends the program.
struct LiveLines {
    private static let endings = [SIGINT, SIGTERM, SIGHUP]

    private var repaint = Repaint()
    private var drawn: [String] = []
    private var drawnWidth = 0

    init() {
        for number in Self.endings {
            // Only calls that POSIX allows in a signal handler.
            signal(number) { number in
                let text: StaticString = "\u{1b}[?25h\n"
                _ = write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
                // The default action of the signal, which is delivered when the handler returns.
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        Output.write(Repaint.hideCursor)
    }

    /// Draws the lines that differ from those on the screen.
    mutating func draw(_ lines: [String], width: Int) {
        guard lines != drawn || width != drawnWidth else { return }
        Output.write(repaint.sequence(lines, width: width))
        (drawn, drawnWidth) = (lines, width)
    }

    /// Leaves the last lines on the screen.
    func end() {
        Output.write((drawn.isEmpty ? "" : "\n") + Repaint.showCursor)
        for number in Self.endings { signal(number, SIG_DFL) }
    }
}
