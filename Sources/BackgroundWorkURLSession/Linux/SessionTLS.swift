import BackgroundWorkTransfers

/// Linux's URL sessions ask nobody about certificates.
package enum SessionTLS {
    package static let features: Set<TransferFeature> = []

    package static func check(_ tls: TLSOptions) throws {}

    package static func isAsked(in space: URLProtectionSpace) -> Bool { false }

    static func answer(to challenge: URLAuthenticationChallenge, with tls: TLSOptions, isOwnOrigin: Bool) -> TLSAnswer {
        .byDefault
    }
}
