public import AppleCoreFoundation
import CAppleCrypto
public import Foundation

/// doc: security/secpolicycreatessl(_:_:)
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    SecPolicy(host: server ? hostname.map { $0 as String } : nil)
}

/// doc: security/secpolicycreatebasicx509()
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(host: nil) }

/// doc: security/sectrustcreatewithcertificates(_:_:_:)
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    let chain: [SecCertificate] = objects(certificates)
    if chain.isEmpty { return errSecParam }
    trust.pointee = SecTrust(certificates: chain, policies: policies.map(objects) ?? [])
    return errSecSuccess
}

/// doc: security/sectrustsetpolicies(_:_:)
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    trust.policies = objects(policies)
    trust.chain = nil
    return errSecSuccess
}

/// doc: security/sectrustsetanchorcertificates(_:_:): disables the system's anchors, until
/// `SecTrustSetAnchorCertificatesOnly` enables them again
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    trust.anchors = anchorCertificates.map(objects)
    trust.isAnchorsOnly = anchorCertificates != nil
    trust.chain = nil
    return errSecSuccess
}

/// doc: security/sectrustsetanchorcertificatesonly(_:_:)
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    trust.isAnchorsOnly = anchorCertificatesOnly
    trust.chain = nil
    return errSecSuccess
}

/// doc: security/sectrustevaluatewitherror(_:_:)
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    let code = evaluate(trust)
    if code == 0 { return true }
    let status =
        switch code {
        case 10: errSecCertificateExpired  // X509_V_ERR_CERT_HAS_EXPIRED
        case 62: errSecHostNameMismatch  // X509_V_ERR_HOSTNAME_MISMATCH
        default: errSecNotTrusted
        }
    let reason = String(cString: shim_verification_text(code))
    error?.pointee = CFError(
        domain: NSOSStatusErrorDomain, code: Int(status), userInfo: [NSLocalizedDescriptionKey: reason])
    return false
}

/// doc: security/sectrustcopycertificatechain(_:): evaluates where that has not been done
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    if trust.chain == nil { _ = evaluate(trust) }
    return trust.chain.map { $0 as CFArray }
}

/// 0, or an X509_V_ERR number.
private func evaluate(_ trust: SecTrust) -> Int32 {
    let given = trust.certificates.map(\.data)
    let anchors = (trust.anchors ?? []).map(\.data)
    let host = trust.policies.lazy.compactMap(\.host).first
    var built = [shim_bytes](repeating: shim_bytes(), count: given.count + anchors.count + 10)
    var count = 0
    let code = withAllBytes(given) { given in
        withAllBytes(anchors) { anchors in
            shim_certificates_verify(
                given, given.count, anchors, anchors.count, trust.isAnchorsOnly ? 0 : 1, host, &built, &count)
        }
    }
    let chain = built[..<count].map { SecCertificate(data: Data(taking: $0)) }
    trust.chain = chain.isEmpty ? trust.certificates : chain
    return code
}

/// One object, or an array of them.
private func objects<Object: AnyObject>(_ value: CFTypeRef) -> [Object] {
    if let object = value as? Object { return [object] }
    return (value as? CFArray)?.compactMap { $0 as? Object } ?? []
}
