import Foundation
public import FoundationNetworking
public import Security

/// doc: foundation/nsurlauthenticationmethodservertrust; unavailable on Linux
public let NSURLAuthenticationMethodServerTrust: String = "NSURLAuthenticationMethodServerTrust"
/// doc: foundation/nsurlauthenticationmethodclientcertificate; unavailable on Linux
public let NSURLAuthenticationMethodClientCertificate: String = "NSURLAuthenticationMethodClientCertificate"

private let identities = AttachedValues<(identity: SecIdentity, certificates: [Any])>()
private let acceptedTrusts = AttachedValues<SecTrust>()
private let serverTrusts = AttachedValues<SecTrust>()

extension URLCredential {
    /// doc: foundation/urlcredential/init(identity:certificates:persistence:); not on Linux
    public convenience init(
        identity: SecIdentity, certificates certArray: [Any]?, persistence: URLCredential.Persistence
    ) {
        self.init(user: "", password: "", persistence: persistence)
        identities[self] = (identity, certArray ?? [])
    }

    /// doc: foundation/urlcredential/init(trust:); not on Linux
    public convenience init(trust: SecTrust) {
        self.init(user: "", password: "", persistence: .forSession)
        acceptedTrusts[self] = trust
    }

    /// doc: foundation/urlcredential/identity; not on Linux
    public var identity: SecIdentity? { identities[self]?.identity }

    /// doc: foundation/urlcredential/certificates; not on Linux
    public var certificates: [Any] { identities[self]?.certificates ?? [] }

    /// What a test asks, because Apple's class does not say it: the trust that it was made of.
    public var shimAcceptedTrust: SecTrust? { acceptedTrusts[self] }
}

extension URLProtectionSpace {
    /// doc: foundation/urlprotectionspace/servertrust; not on Linux
    public var serverTrust: SecTrust? { serverTrusts[self] }

    /// What a test says in the system's place, since Linux asks for no trust.
    public func shimSetServerTrust(_ trust: SecTrust) { serverTrusts[self] = trust }
}
