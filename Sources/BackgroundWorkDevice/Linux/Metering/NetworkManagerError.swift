#if os(Linux)
import Glibc

/// NetworkManager could not be asked, or went away.
enum NetworkManagerError: Error, Equatable, CustomStringConvertible {
    case noLibrary
    case notRunning
    case bus(code: Int32)

    init(code: Int32) {
        switch code {
        case ELIBACC: self = .noLibrary
        case ENXIO, EHOSTUNREACH: self = .notRunning
        default: self = .bus(code: code)
        }
    }

    var description: String {
        switch self {
        case .noLibrary: "libsystemd.so.0 is not there or too old"
        case .notRunning: "NetworkManager does not run"
        case .bus(let code): "the system's D-Bus: \(String(cString: strerror(code)))"
        }
    }
}
#endif
