#if os(Linux)
import BackgroundWorkTransfers

/// One HTTP request as it is to be made.
struct RequestPlan {
    enum Method: Equatable {
        case get
        case head
        /// With a body that the exchange's handler supplies, of so many bytes.
        case send(String, bytes: Int64)
        /// Without a body.
        case bare(String)

        /// Whether it is one that does not break the request apart.
        var isValid: Bool {
            switch self {
            case .get, .head: true
            case .send(let name, _), .bare(let name): HeaderSyntax.isToken(name)
            }
        }

        var name: String {
            switch self {
            case .get: "GET"
            case .head: "HEAD"
            case .send(let name, _), .bare(let name): name
            }
        }

        var sendsBody: Bool { if case .send = self { true } else { false } }
    }

    var method = Method.get
    var url: String
    var headerLines: [String]
    var options: TransferOptions
    var addressPolicy: AddressPolicy
    var bufferBytes: Int
    /// Whether a compressed body, which was not asked for, is unpacked.
    var unpacksBody = false
    /// Whether redirects are followed; a request that makes or changes something on the server is better told.
    var followsRedirects = true

    /// The proxy's URL; `nil` to dial the server itself.
    var proxy: String? { if case .url(let url) = options.proxy { url } else { nil } }
}
#endif
