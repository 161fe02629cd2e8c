#if os(Linux)
import Glibc

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
#endif
