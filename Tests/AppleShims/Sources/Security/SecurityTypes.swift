public import AppleCoreFoundation
import Foundation

/// doc: security/seccertificate; the only one of these types that Apple declares Sendable (Security base/SecBase.h)
public final class SecCertificate: Sendable {
    let data: Data
    init(data: Data) { self.data = data }
}

/// doc: security/seckey: a public key, or the private one of an identity
public final class SecKey {
    /// `nil` if it cannot be exported.
    let external: Data?
    let attributes: [String: Any]

    init(external: Data?, attributes: [String: Any]) {
        self.external = external
        self.attributes = attributes
    }
}

/// doc: security/secidentity
public final class SecIdentity {
    let certificate: SecCertificate
    /// In DER.
    let privateKey: Data

    init(certificate: SecCertificate, privateKey: Data) {
        self.certificate = certificate
        self.privateKey = privateKey
    }
}

/// doc: security/secpolicy
public final class SecPolicy {
    /// `nil` for the policy without a host.
    let host: String?
    init(host: String?) { self.host = host }
}

/// doc: security/sectrust
public final class SecTrust {
    var certificates: [SecCertificate]
    var policies: [SecPolicy]
    var anchors: [SecCertificate]?
    var isAnchorsOnly = false
    /// The chain of the last evaluation.
    var chain: [SecCertificate]?

    init(certificates: [SecCertificate], policies: [SecPolicy]) {
        self.certificates = certificates
        self.policies = policies
    }
}

/// doc: security/seccertificategettypeid()
public func SecCertificateGetTypeID() -> CFTypeID { typeID(SecCertificate.self) }
/// doc: security/secidentitygettypeid()
public func SecIdentityGetTypeID() -> CFTypeID { typeID(SecIdentity.self) }
/// doc: security/sectrustgettypeid()
public func SecTrustGetTypeID() -> CFTypeID { typeID(SecTrust.self) }

/// What `CFGetTypeID` answers for an object of the class.
private func typeID(_ type: AnyClass) -> CFTypeID { CFTypeID(bitPattern: ObjectIdentifier(type)) }
