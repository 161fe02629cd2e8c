import BackgroundWorkFiles
import BackgroundWorkFoundation
import Synchronization

/// The credentials that a local server requires; it answers requests without them with 401.
public enum Authentication: Sendable, Hashable {
    /// Basic authentication (RFC 7617).
    case basic(user: String, password: String)
    /// Digest authentication (RFC 7616) with `qop=auth`. Each nonce count is accepted once.
    case digest(user: String, password: String, algorithm: HTTPDigestAlgorithm = .sha256)
    /// A bearer token (RFC 6750), one of these.
    case bearer(tokens: Set<String>)
}

/// The algorithms of Digest authentication (RFC 7616) that a local server supports.
public enum HTTPDigestAlgorithm: String, Sendable, Hashable {
    /// Used by old servers.
    case md5 = "MD5"
    /// Recommended for new servers.
    case sha256 = "SHA-256"

    var digest: DigestAlgorithm { self == .md5 ? .md5 : .sha256 }
}

/// Checks the credentials of requests.
final class CredentialCheck: Sendable {
    private static let realm = "test"

    private let authentication: Authentication
    /// The nonces issued, each with the counts that were used.
    private let nonces = Mutex<[String: Set<String>]>([:])

    init(_ authentication: Authentication) { self.authentication = authentication }

    var isForBearer: Bool { if case .bearer = authentication { true } else { false } }

    /// The `WWW-Authenticate` value of a 401 answer; `nil` when the request may continue.
    func challenge(for head: RequestHead) -> HeaderField? {
        let words = (head.headers["authorization"] ?? "").split(separator: " ", maxSplits: 1)
        let scheme = words.first?.lowercased() ?? ""
        let rest = words.count == 2 ? words[1] : ""
        switch authentication {
        case .basic(let user, let password):
            let expected = Data("\(user):\(password)".utf8).base64EncodedString()
            return scheme == "basic" && rest == expected ? nil : Self.field("Basic realm=\"\(Self.realm)\"")
        case .bearer(let tokens):
            if scheme == "bearer", tokens.contains(String(rest)) { return nil }
            let error = scheme == "bearer" ? ", error=\"invalid_token\"" : ""
            return Self.field("Bearer realm=\"\(Self.realm)\"\(error)")
        case .digest(let user, let password, let algorithm):
            let answer = scheme == "digest" ? HeaderParameters(list: rest) : nil
            let isRight = answer.map { Self.isRight($0, head, user, password, algorithm) } ?? false
            if isRight, let answer, use(answer) { return nil }
            return Self.field(digestChallenge(algorithm, isStale: isRight))
        }
    }

    private func digestChallenge(_ algorithm: HTTPDigestAlgorithm, isStale: Bool) -> String {
        let nonce = String(UInt64.random(in: 0 ... .max), radix: 16) + String(UInt64.random(in: 0 ... .max), radix: 16)
        nonces.withLock { $0[nonce] = [] }
        return "Digest realm=\"\(Self.realm)\", qop=\"auth\", algorithm=\(algorithm.rawValue), nonce=\"\(nonce)\""
            + (isStale ? ", stale=true" : "")
    }

    /// Whether the nonce was issued by this server and its count is new.
    private func use(_ answer: HeaderParameters) -> Bool {
        guard let nonce = answer["nonce"], let count = answer["nc"] else { return false }
        return nonces.withLock { $0[nonce]?.insert(count).inserted ?? false }
    }

    private static func isRight(
        _ answer: HeaderParameters, _ head: RequestHead, _ user: String, _ password: String,
        _ algorithm: HTTPDigestAlgorithm
    ) -> Bool {
        guard answer["username"] == user, answer["realm"] == realm, answer["uri"] == head.target,
            answer["qop"] == "auth", let nonce = answer["nonce"], let count = answer["nc"],
            let clientNonce = answer["cnonce"], let response = answer["response"],
            let identity = StreamingDigest.of("\(user):\(realm):\(password)", algorithm.digest),
            let request = StreamingDigest.of("\(head.method):\(head.target)", algorithm.digest),
            let expected = StreamingDigest.of(
                "\(identity):\(nonce):\(count):\(clientNonce):auth:\(request)", algorithm.digest)
        else { return false }
        return response == expected && (answer["algorithm"] ?? "MD5").uppercased() == algorithm.rawValue
    }

    private static func field(_ challenge: String) -> HeaderField { HeaderField("WWW-Authenticate", challenge) }
}

extension StreamingDigest {
    func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The digest of a text as lowercase hexadecimal digits; `nil` when the system cannot compute it.
    static func of(_ text: String, _ algorithm: DigestAlgorithm) -> String? {
        guard let digest = try? StreamingDigest(algorithm) else { return nil }
        digest.update(Array(text.utf8))
        return try? digest.finish()
    }
}
