#if os(Linux)
import Glibc

/// The kernel's netlink sockets refused something: what, and the system's words for it.
struct NetlinkError: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    var description: String { "\(call): \(String(cString: strerror(code)))" }
}
#endif
