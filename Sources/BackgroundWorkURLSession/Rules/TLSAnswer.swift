import BackgroundWorkTransfers

/// What a transfer's TLS options say to a challenge.
package enum TLSAnswer: Sendable {
    case use(URLCredential)
    /// They say nothing about it: the system decides.
    case byDefault
    /// The connection must not be made, for this reason.
    case refuse(String)

    var answer: ChallengeAnswer {
        switch self {
        case .use(let credential): .use(credential)
        case .byDefault: .byDefault
        case .refuse: .refuse
        }
    }
}

extension TransferSpecification {
    /// May read files, and block.
    package func answer(to challenge: URLAuthenticationChallenge) -> TLSAnswer {
        guard SessionTLS.isAsked(in: challenge.protectionSpace) else { return .byDefault }
        let isOwnOrigin = RequestOrigin(url) == RequestOrigin(challenge.protectionSpace)
        return SessionTLS.answer(to: challenge, with: options.tls, isOwnOrigin: isOwnOrigin)
    }
}

/// A file that TLS needs, and that cannot be used.
package struct UnusableTLSFile: Error, CustomStringConvertible {
    let field: String
    let reason: String

    package var description: String { "\(field): \(reason)." }
}
