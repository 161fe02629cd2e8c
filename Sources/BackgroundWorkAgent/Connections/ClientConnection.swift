#if os(Linux)
import BackgroundWorkTransfers
import Glibc

/// One client's conversation: non-blocking, with its frames cut out and its answers queued.
final class ClientConnection {
    /// A client that does not read is dropped when so much waits for it.
    private static let largestBacklog = 8 << 20

    let descriptor: Int32
    /// The work store that the client's `hello` named; `nil` before it.
    var store: String?
    var receivesOutcomes = false
    /// No more is read; what is queued is still sent.
    var isEnding = false
    private var reader = FrameReader()
    private var output: [UInt8] = []
    private var sent = 0

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    var hasOutput: Bool { sent < output.count }

    /// Reads what has arrived; false when the client is gone.
    func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                reader.append(buffer[..<count])
                if count < buffer.count { return true }
            } else if count == 0 {
                return false
            } else if errno == EAGAIN {
                return true
            } else if errno != EINTR {
                return false
            }
        }
    }

    func nextFrame() throws(FrameError) -> [UInt8]? { isEnding ? nil : try reader.next() }

    /// Queues a frame and sends what goes; false when the client is gone or does not read.
    func send(_ frame: AgentFrame) -> Bool {
        do {
            output += try FrameCodec.encode(frame)
        } catch {
            AgentLog.write("an answer could not be sent: \(error)")
            return false
        }
        return output.count - sent <= Self.largestBacklog && flush()
    }

    /// Sends what goes without waiting; false when the client is gone.
    func flush() -> Bool {
        while hasOutput {
            let count = output[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                return true
            } else if errno != EINTR {
                return false
            }
        }
        output.removeAll(keepingCapacity: output.count < 64 << 10)
        sent = 0
        return true
    }
}
#endif
