import Synchronization

/// What a local server answers at the path where tokens are refreshed.
public struct TokenIssuer: Sendable, Hashable {
    /// The tokens, given out one after the other; the last stays.
    public var tokens: [String]
    /// The body of the answer. `{token}` in it stands for the token.
    public var body: String
    /// Whether the paths that ask for a bearer token accept this one from then on, and no other. If not, their 401
    /// never ends.
    public var makesAccepted: Bool

    /// Gives out these tokens, of which there has to be one at least.
    public init(
        tokens: [String], body: String = #"{"data":{"access_token":"{token}"}}"#, makesAccepted: Bool = true
    ) {
        self.tokens = tokens
        self.body = body
        self.makesAccepted = makesAccepted
    }
}

/// Gives out the tokens of a path.
final class TokenDesk: Sendable {
    private let issuer: TokenIssuer
    private let count = Mutex(0)

    init(_ issuer: TokenIssuer) { self.issuer = issuer }

    /// How many tokens were given out.
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
