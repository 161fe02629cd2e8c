import BackgroundWorkTransfers

/// Linux's URL sessions ask nobody about certificates.
enum SessionTLS {
    static let features: Set<TransferFeature> = []

    static func check(_ tls: TLSOptions) throws {}

    static func isAsked(in space: URLProtectionSpace) -> Bool { false }

    static func answer(to challenge: URLAuthenticationChallenge, with tls: TLSOptions, isOwnOrigin: Bool) -> TLSAnswer {
        .byDefault
    }
}
