import Synchronization

/// A local server's answers at the path where tokens are refreshed.
public struct TokenIssuer: Sendable, Hashable {
    /// The tokens, issued one after the other; the last one is repeated.
    public var tokens: [String]
    /// The body of the answer, in which `{token}` is replaced by the token.
    public var body: String
    /// Whether the paths that require a bearer token accept this one from then on, and no other. If not, they keep
    /// answering 401.
    public var makesAccepted: Bool

    /// Issues these tokens, of which there must be at least one.
    public init(
        tokens: [String], body: String = #"{"data":{"access_token":"{token}"}}"#, makesAccepted: Bool = true
    ) {
        self.tokens = tokens
        self.body = body
        self.makesAccepted = makesAccepted
    }
}

/// Issues the tokens of a path.
final class TokenDesk: Sendable {
    private let issuer: TokenIssuer
    private let count = Mutex(0)

    init(_ issuer: TokenIssuer) { self.issuer = issuer }

    /// How many tokens were issued.
    var calls: Int { count.withLock { $0 } }

    /// The body of the answer, and the token that is accepted from now on.
    func issue() -> (text: String, accepted: String?) {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let token = issuer.tokens.isEmpty ? "" : issuer.tokens[min(number, issuer.tokens.count) - 1]
        return (issuer.body.replacing("{token}", with: token), issuer.makesAccepted ? token : nil)
    }
}
