import BackgroundWorkFoundation
import BackgroundWorkTransfers

/// Signs each request of a worker with HMAC-SHA256, so that its server knows who has sent it and that it was not
/// changed.
///
/// What is signed are the UTF-8 bytes of four lines with a line feed between them, and none at the end:
///
/// ```
/// METHOD
/// URL
/// BODY
/// TIMESTAMP
/// ```
///
/// METHOD is in capitals. URL is the input's `url` as it is written, up to a `#`. BODY is the request's body, byte by
/// byte as it is sent, multipart frames included, and empty without one. TIMESTAMP is the time of sending, whole seconds
/// since 1970 in decimal digits, and empty unless ``timestampHeaderName`` sends it along.
///
/// The header's value is ``prefix`` and 64 hexadecimal digits in lower case. Each attempt is signed anew. A redirect
/// within the origin of `url` carries the signature of the first request, and one that leaves it carries none.
///
/// With the key `secret`, the method `POST`, the URL `https://example.com/orders?id=5`, the body `{"a":1}` and the time
/// 1700000000 the digits are `12450329e1808ecd6f8831179d862142ecdfa725851035c445a507855581333d`, as Python says:
///
/// ```
/// hmac.new(b"secret", b'POST\nhttps://example.com/orders?id=5\n{"a":1}\n1700000000', "sha256").hexdigest()
/// ```
public struct RequestSigning: Sendable, Hashable {
    /// Shared with the server; its UTF-8 bytes are used. JSON: `key`.
    public var key: String
    /// The header that carries the signature. JSON: `headerName`, left out it is `X-Signature`.
    public var headerName: String
    /// What precedes the digits, such as `sha256=`. JSON: `prefix`.
    public var prefix: String
    /// The header that carries the time; `nil` for none, and no time is signed. JSON: `timestampHeaderName`.
    public var timestampHeaderName: String?

    /// Creates a way to sign.
    public init(
        key: String, headerName: String = "X-Signature", prefix: String = "", timestampHeaderName: String? = nil
    ) {
        self.key = key
        self.headerName = headerName
        self.prefix = prefix
        self.timestampHeaderName = timestampHeaderName
    }
}

extension RequestSigning: Codable {
    /// Everything but `key` may be left out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            key: try container.decode(String.self, forKey: .key),
            headerName: try container.decodeIfPresent(String.self, forKey: .headerName) ?? "X-Signature",
            prefix: try container.decodeIfPresent(String.self, forKey: .prefix) ?? "",
            timestampHeaderName: try container.decodeIfPresent(String.self, forKey: .timestampHeaderName))
    }
}

extension RequestSigning: CustomReflectable {
    /// Without the key.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "headerName": headerName, "prefix": prefix, "timestampHeaderName": timestampHeaderName as Any,
            ], displayStyle: .struct)
    }
}

extension RequestSigning {
    /// The headers that it adds.
    var headerNames: [String] { [headerName] + (timestampHeaderName.map { [$0] } ?? []) }
}
