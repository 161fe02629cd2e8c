public import AppleCoreFoundation
import CAppleCrypto
public import Foundation

/// doc: security/seccertificatecreatewithdata(_:_:)
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    let data = data as Data
    return data.withBytes { shim_certificate_is_valid($0) } == 1 ? SecCertificate(data: data) : nil
}

/// doc: security/seccertificatecopydata(_:)
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { certificate.data as CFData }

/// doc: security/seccertificatecopykey(_:)
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    var kind = SHIM_KEY_OTHER
    var bits: Int32 = 0
    let external = Data(taking: certificate.data.withBytes { shim_certificate_key($0, &kind, &bits) })
    if external.isEmpty { return nil }
    let type = kind == SHIM_KEY_RSA ? kSecAttrKeyTypeRSA : kSecAttrKeyTypeECSECPrimeRandom
    let attributes: [String: Any] = [
        kSecAttrKeyType as String: type as String, kSecAttrKeySizeInBits as String: Int(bits),
    ]
    return SecKey(external: external, attributes: attributes)
}

/// doc: security/seckeycopyexternalrepresentation(_:_:)
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    if let external = key.external { return external as CFData }
    error?.pointee = .passRetained(CFError(domain: NSOSStatusErrorDomain, code: Int(errSecParam)))
    return nil
}

/// doc: security/seckeycopyattributes(_:)
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? { key.attributes as CFDictionary }

/// doc: security/secidentitycopycertificate(_:_:)
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    certificateRef.pointee = identityRef.certificate
    return errSecSuccess
}

/// doc: security/secpkcs12import(_:_:_:)
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    guard let passphrase = (options as? [String: Any])?[kSecImportExportPassphrase as String] as? String else {
        return errSecAuthFailed
    }
    var certificate = shim_bytes()
    var key = shim_bytes()
    var further = [shim_bytes](repeating: shim_bytes(), count: 10)
    var count = 0
    let result = (pkcs12_data as Data).withBytes {
        shim_pkcs12_import($0, passphrase, &certificate, &key, &further, &count)
    }
    switch result {
    case SHIM_IMPORTED: break
    case SHIM_IMPORT_WRONG_PASSPHRASE: return errSecAuthFailed
    default: return errSecDecode
    }
    let own = SecCertificate(data: Data(taking: certificate))
    let chain = [own] + further[..<count].map { SecCertificate(data: Data(taking: $0)) }
    let item: [String: Any] = [
        kSecImportItemIdentity as String: SecIdentity(certificate: own, privateKey: Data(taking: key)),
        kSecImportItemCertChain as String: chain,
        kSecImportItemTrust as String: SecTrust(certificates: chain, policies: [SecPolicy(host: nil)]),
    ]
    items.pointee = [item] as CFArray
    return errSecSuccess
}
