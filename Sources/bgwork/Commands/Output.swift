#if os(Linux)
import Glibc

/// What the program prints. A reader that has gone away ends it quietly, as it does other programs of a pipe.
enum Output {
    static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

    static func line(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

    static func complain(_ text: String) { write("bgwork: \(text)\n", to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                exit(1)
            }
        }
    }
}
#endif
