#if os(Linux)
import BackgroundWorkConsole
import Glibc

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
