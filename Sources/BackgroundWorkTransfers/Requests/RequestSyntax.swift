/// What no URL may contain, whatever reads it.
package enum URLSyntax {
    /// Whether there is no blank, control character or backslash in it. The former split a request line; URL parsers differ
    /// in what they make of them and of `\`.
    package static func isClean(_ url: String) -> Bool {
        url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\\") }
    }

    /// Why an absolute URL of HTTP it cannot be, as the rest of a sentence about it; `nil` if it may be one.
    package static func complaint(about url: String) -> String? {
        let parts = URLParts(url)
        guard parts.scheme == "http" || parts.scheme == "https" else {
            return "begins neither with http:// nor with https://"
        }
        return isClean(url) && !parts.bareHost.isEmpty ? nil : "has no host, or characters that no URL may have"
    }
}

/// What may stand in a request's header without breaking the request apart.
package enum HeaderSyntax {
    /// Whether it is a token of RFC 9110, section 5.6.2, as names of headers and methods are.
    package static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
    }

    /// The beginning of a text that was given as a name, for messages: a whole line was, perhaps, which has a secret.
    package static func shown(_ name: String) -> String {
        String(name.prefix { $0 != ":" && $0 != "=" && !$0.isWhitespace }.prefix(40))
    }

    /// Whether it has neither line break nor NUL. What follows a line break in a header's value would be a header of
    /// its own.
    package static func isOneLine(_ text: String) -> Bool {
        !text.utf8.contains { $0 == 0x0d || $0 == 0x0a || $0 == 0 }
    }

    /// Whether the transport writes this header itself, so that a request's own one could only contradict it: what frames
    /// the body, where one that is wrong lets the rest be read as another request (RFC 9112, section 11.2), and what
    /// concerns the connection alone (RFC 9110, section 7.6.1).
    package static func isTransportOwned(_ name: String) -> Bool { transportOwned.contains(name.lowercased()) }

    private static let transportOwned: Set<String> = [
        "connection", "content-length", "expect", "host", "http2-settings", "keep-alive", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]
}
