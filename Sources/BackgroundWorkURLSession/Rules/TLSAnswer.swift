/// What a transfer's TLS options say to a challenge.
enum TLSAnswer: Sendable {
    case use(URLCredential)
    /// They say nothing about it: the system decides.
    case byDefault
    /// The connection must not be made, for this reason.
    case refuse(String)
}
