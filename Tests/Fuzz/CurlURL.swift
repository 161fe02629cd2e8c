import BackgroundWorkSystem
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// A URL as libcurl reads it; `nil` for one that it would not dial.
struct CurlURL {
    /// In brackets for IPv6; an internationalized name as libcurl resolves it, with `xn--`.
    let host: String
    let port: Int

    /// For a URL that a program gives, and for one of a redirect, of which libcurl takes more.
    static let ways: [UInt32] = [
        UInt32(CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME),
        UInt32(CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE | CURLU_ALLOW_SPACE),
    ]
    /// CURLU_PUNYCODE, of libcurl 7.88 and later.
    private static let mapped = UInt32(1 << 12)

    init?(_ text: String, flags: UInt32) {
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        guard curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK,
            let host = Self.part(CURLUPART_HOST, of: handle, Self.mapped),
            let port = Self.part(CURLUPART_PORT, of: handle, UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) })
        else { return nil }
        self.host = host
        self.port = port
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer, _ flags: UInt32) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    /// Which address the resolver makes of it without asking anybody; `nil` for a name.
    var address: IPAddress? {
        var bare = host
        if bare.hasPrefix("["), bare.hasSuffix("]") { bare = String(bare.dropFirst().dropLast()) }
        let name = String(bare.prefix { $0 != "%" })
        return Self.numeric(name) ?? (name.hasSuffix(".") ? Self.numeric(String(name.dropLast())) : nil)
    }

    private static func numeric(_ text: String) -> IPAddress? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(text, nil, &hints, &found) == 0, let info = found?.pointee, let address = info.ai_addr else {
            return nil
        }
        defer { freeaddrinfo(found) }
        if info.ai_family == AF_INET {
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { IPAddress(bytes: Array($0)) }
            }
        }
        return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
            withUnsafeBytes(of: $0.pointee.sin6_addr) { IPAddress(bytes: Array($0)) }
        }
    }
}
