import Synchronization

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
