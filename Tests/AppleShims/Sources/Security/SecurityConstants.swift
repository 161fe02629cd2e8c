public import AppleCoreFoundation
public import Foundation

// Strings never change, whatever the class says. Their content is that of Apple's sources; nobody should depend on it.

/// doc: security/ksecimportexportpassphrase
nonisolated(unsafe) public let kSecImportExportPassphrase: CFString = "passphrase" as CFString
/// doc: security/ksecimporttomemoryonly
nonisolated(unsafe) public let kSecImportToMemoryOnly: CFString = "memory" as CFString
/// doc: security/ksecimportitemidentity
nonisolated(unsafe) public let kSecImportItemIdentity: CFString = "identity" as CFString
/// doc: security/ksecimportitemcertchain
nonisolated(unsafe) public let kSecImportItemCertChain: CFString = "chain" as CFString
/// doc: security/ksecimportitemtrust
nonisolated(unsafe) public let kSecImportItemTrust: CFString = "trust" as CFString
/// doc: security/ksecattrkeytype
nonisolated(unsafe) public let kSecAttrKeyType: CFString = "type" as CFString
/// doc: security/ksecattrkeytypersa
nonisolated(unsafe) public let kSecAttrKeyTypeRSA: CFString = "42" as CFString
/// doc: security/ksecattrkeytypeecsecprimerandom
nonisolated(unsafe) public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73" as CFString
/// doc: security/ksecattrkeysizeinbits
nonisolated(unsafe) public let kSecAttrKeySizeInBits: CFString = "bsiz" as CFString

/// doc: security/errsecsuccess
public var errSecSuccess: OSStatus { 0 }
/// doc: security/errsecparam
public var errSecParam: OSStatus { -50 }
/// doc: security/errsecauthfailed
public var errSecAuthFailed: OSStatus { -25293 }
/// doc: security/errsecdecode
public var errSecDecode: OSStatus { -26275 }
/// doc: security/errsechostnamemismatch
public var errSecHostNameMismatch: OSStatus { -67602 }
/// doc: security/errseccertificateexpired
public var errSecCertificateExpired: OSStatus { -67818 }
/// doc: security/errsecnottrusted
public var errSecNotTrusted: OSStatus { -67843 }

/// doc: security/seccopyerrormessagestring(_:_:)
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    let text =
        switch status {
        case errSecSuccess: "No error."
        case errSecParam: "One or more parameters passed to a function were not valid."
        case errSecAuthFailed: "The user name or passphrase you entered is not correct."
        case errSecDecode: "Unable to decode the provided data."
        case errSecHostNameMismatch: "A host name mismatch has occurred."
        case errSecCertificateExpired: "An expired certificate was detected."
        case errSecNotTrusted: "The trust policy was not trusted."
        default: "OSStatus \(status)"
        }
    return text as CFString
}
