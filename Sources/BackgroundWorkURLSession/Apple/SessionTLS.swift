import BackgroundWorkTransfers
import CryptoKit
import Security

/// A transfer's TLS options, by the Security framework
/// (https://developer.apple.com/documentation/foundation/handling-an-authentication-challenge).
package enum SessionTLS {
    package static let features: Set<TransferFeature> = [.pinnedPublicKeys, .clientCertificate, .additionalAuthorities]

    /// Finds out whether the files can be used. Reads them, and blocks. Throws ``UnusableTLSFile``.
    package static func check(_ tls: TLSOptions) throws {
        if let path = tls.clientKeyPath {
            throw UnusableTLSFile(
                field: "tls.clientKeyPath",
                reason: "\(path): on this platform the certificate and its key are one PKCS #12 file, which "
                    + "clientCertificatePath names (openssl pkcs12 -export -in certificate.pem -inkey key.pem)")
        }
        if let path = tls.clientCertificatePath { _ = try identity(in: path, password: tls.clientKeyPassword) }
        if let path = tls.additionalAuthoritiesPath { _ = try authorities(in: path) }
    }

    package static func isAsked(in space: URLProtectionSpace) -> Bool {
        [NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate]
            .contains(space.authenticationMethod)
    }

    /// - Parameter isOwnOrigin: whether the transfer's URL asks, and not one that a redirect leads to. Others do not get
    ///   the client's certificate.
    static func answer(to challenge: URLAuthenticationChallenge, with tls: TLSOptions, isOwnOrigin: Bool) -> TLSAnswer {
        do {
            if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodClientCertificate {
                guard isOwnOrigin, let path = tls.clientCertificatePath else { return .byDefault }
                let (identity, chain) = try identity(in: path, password: tls.clientKeyPassword)
                return .use(URLCredential(identity: identity, certificates: chain, persistence: .none))
            }
            guard let trust = challenge.protectionSpace.serverTrust else { return .byDefault }
            return try judge(trust, tls)
        } catch {
            return .refuse("\(error)")
        }
    }

    static func judge(_ trust: SecTrust, _ tls: TLSOptions) throws -> TLSAnswer {
        if tls.pinnedPublicKeys.isEmpty, tls.additionalAuthoritiesPath == nil { return .byDefault }
        if let path = tls.additionalAuthoritiesPath {
            // Beside the system's own.
            guard SecTrustSetAnchorCertificates(trust, try authorities(in: path) as CFArray) == errSecSuccess,
                SecTrustSetAnchorCertificatesOnly(trust, false) == errSecSuccess
            else { return .refuse("the certificates in \(path) cannot be used as authorities.") }
        }
        var error: CFError?
        guard SecTrustEvaluateWithError(trust, &error) else {
            let reason = error.map { ($0 as any Error).localizedDescription } ?? "the system does not say why"
            return .refuse(
                "the server's certificate is not trusted (\(reason)). Trying again does not help: renew the "
                    + "certificate, or name its authority in tls.additionalAuthoritiesPath.")
        }
        if tls.pinnedPublicKeys.isEmpty { return .use(URLCredential(trust: trust)) }
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        guard let certificate = chain.first,
            let key = SubjectPublicKeyInfo.bytes(ofCertificate: SecCertificateCopyData(certificate) as Data)
        else { return .refuse("the server's certificate has no public key that can be read.") }
        guard tls.pinnedPublicKeys.contains(Data(SHA256.hash(data: key)).base64EncodedString()) else {
            return .refuse(
                "the server's public key is not one of the pinned keys. Trying again does not help: pin the new key as "
                    + "well, or find out who answers there.")
        }
        return .use(URLCredential(trust: trust))
    }

    // MARK: - Files

    private static func identity(
        in path: String, password: String?
    ) throws -> (identity: SecIdentity, chain: [SecCertificate]) {
        let field = "tls.clientCertificatePath"
        let options: [String: Any] = [
            kSecImportExportPassphrase as String: password ?? "", kSecImportToMemoryOnly as String: true,
        ]
        var items: CFArray?
        let status = SecPKCS12Import(try content(of: path, field) as CFData, options as CFDictionary, &items)
        guard status == errSecSuccess else {
            let text = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "error \(status)"
            throw UnusableTLSFile(
                field: field,
                reason: "\(path) cannot be used as a PKCS #12 file (\(text)). Check the file and clientKeyPassword")
        }
        let item = (items as? [[String: Any]])?.first ?? [:]
        guard let found = item[kSecImportItemIdentity as String],
            CFGetTypeID(found as CFTypeRef) == SecIdentityGetTypeID()
        else { throw UnusableTLSFile(field: field, reason: "\(path) holds no certificate with its private key") }
        let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        // Its own certificate comes first, and belongs to the identity.
        return (found as! SecIdentity, Array(chain.dropFirst()))
    }

    private static func authorities(in path: String) throws -> [SecCertificate] {
        let field = "tls.additionalAuthoritiesPath"
        let text = String(decoding: try content(of: path, field), as: UTF8.self)
        let certificates = CertificateFile.certificates(inPEM: text)
            .compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        if certificates.isEmpty { throw UnusableTLSFile(field: field, reason: "\(path) holds no certificate in PEM") }
        return certificates
    }

    private static func content(of path: String, _ field: String) throws -> Data {
        do { return try Data(contentsOf: URL(filePath: path)) } catch {
            throw UnusableTLSFile(field: field, reason: "\(path) cannot be read (\(error.localizedDescription))")
        }
    }
}
