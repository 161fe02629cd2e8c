import BackgroundWorkModel

extension SecurityPolicy {
    /// Why this policy forbids the literal host of a URL; `nil` when only dialing can tell.
    package func complaint(about url: String) -> String? {
        guard !allowsAnyAddress, LiteralHost(url: url).isSurelyLocal else { return nil }
        return "it leads to \(URLParts(url).host.prefix(80)), " + Self.refusal
    }

    /// The rest of a sentence about an address, and what to do about it.
    package static let refusal =
        "which the security policy (public internet only) forbids. To allow it, request it again with the "
        + "configuration's securityPolicy set to .unrestricted, or on the command line with --allow-private."
}
