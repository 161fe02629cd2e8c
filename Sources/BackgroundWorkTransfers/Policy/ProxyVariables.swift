#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The variables of an environment in which a proxy is named.
package enum ProxyVariables {
    static let ofHTTP = ["http_proxy"]
    static let ofHTTPS = ["https_proxy", "HTTPS_PROXY"]
    static let ofAll = ["all_proxy", "ALL_PROXY"]
    static let exceptions = ["no_proxy", "NO_PROXY"]

    /// Those of this process as they are now, without the rest of its environment.
    @Sendable package static func ofProcess() -> [String: String] {
        var found: [String: String] = [:]
        for name in ofHTTP + ofHTTPS + ofAll + exceptions {
            if let value = getenv(name) { found[name] = String(cString: value) }
        }
        return found
    }
}
