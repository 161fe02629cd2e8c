import BackgroundWorkFoundation
import BackgroundWorkTransfers

/// What a server has answered, without its body.
public struct HTTPResponseHead: Sendable, Hashable {
    /// The status code, from 200 on.
    public let status: Int
    /// All fields.
    public let headers: HTTPHeaders
    /// That has answered, after redirects, as sent: it may hold secrets.
    public let url: String
    /// How many redirects were followed.
    public let redirects: Int

    /// Creates a head, for tests and caches.
    public init(status: Int, headers: HTTPHeaders = [:], url: String, redirects: Int = 0) {
        self.status = status
        self.headers = headers
        self.url = url
        self.redirects = redirects
    }

    /// Whether the status is from 200 to 299.
    public var isSuccess: Bool { (200...299).contains(status) }

    /// The length of the body as it was announced, in bytes; `nil` if it was not, or the body is compressed.
    public var contentLength: Int64? {
        headers["Content-Encoding"].map { $0.lowercased() == "identity" } ?? true
            ? headers["Content-Length"].flatMap { Int64($0) } : nil
    }
}

/// A response with its body.
public struct HTTPResponse: Sendable, Hashable {
    /// Status and headers.
    public let head: HTTPResponseHead
    /// Decompressed.
    public let body: Data

    /// Creates a response, for tests and caches.
    public init(head: HTTPResponseHead, body: Data) {
        self.head = head
        self.body = body
    }

    /// The status code, from 200 on.
    public var status: Int { head.status }
    /// All fields.
    public var headers: HTTPHeaders { head.headers }
}

extension HTTPResponseHead: CustomReflectable {
    /// Without secrets: its URL without user, password, query and fragment.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["status": status, "headers": headers, "url": ShownURL.text(url), "redirects": redirects],
            displayStyle: .struct)
    }
}

extension HTTPResponse: CustomReflectable {
    /// Its head, and the number of its bytes.
    public var customMirror: Mirror {
        Mirror(self, children: ["head": head, "body": "\(body.count) bytes"], displayStyle: .struct)
    }
}
