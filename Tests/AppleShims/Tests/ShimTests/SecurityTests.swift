import BackgroundWorkFoundation
import CryptoKit
import Foundation
import Security
import Testing

@Suite("Security")
struct SecurityTests {
    @Test("a server's certificate is accepted by its anchor, for its host, and by nothing else")
    func trust() throws {
        let authority = try Authority()
        let leaf = try certificate(authority.file("leaf.der"))
        let anchor = try certificate(authority.file("root.der"))
        var trust: SecTrust?
        try #require(
            SecTrustCreateWithCertificates(leaf, SecPolicyCreateSSL(true, "server.test" as CFString), &trust)
                == errSecSuccess)
        let made = try #require(trust)
        var error: CFError?
        #expect(!SecTrustEvaluateWithError(made, &error))
        #expect(error?.code == Int(errSecNotTrusted))
        #expect(SecTrustSetAnchorCertificates(made, [anchor] as CFArray) == errSecSuccess)
        #expect(SecTrustEvaluateWithError(made, nil))
        let chain = SecTrustCopyCertificateChain(made) as? [SecCertificate]
        #expect(chain?.count == 2)
        #expect(SecTrustSetPolicies(made, SecPolicyCreateSSL(true, "other.test" as CFString)) == errSecSuccess)
        #expect(!SecTrustEvaluateWithError(made, &error))
        #expect(error?.code == Int(errSecHostNameMismatch))
    }

    @Test("a public key comes out as Apple's function exports it")
    func publicKey() throws {
        let authority = try Authority()
        let elliptic = try #require(SecCertificateCopyKey(certificate(authority.file("leaf.der"))))
        let point = try #require(SecKeyCopyExternalRepresentation(elliptic, nil)) as Data
        #expect(point.count == 65 && point.first == 4)
        let attributes = SecKeyCopyAttributes(elliptic) as? [String: Any]
        #expect(
            attributes?[kSecAttrKeyType as String] as? String == kSecAttrKeyTypeECSECPrimeRandom as String)
        #expect(attributes?[kSecAttrKeySizeInBits as String] as? Int == 256)
        // The header of a P-256 SubjectPublicKeyInfo, and the point: what a pin is the digest of.
        let header = Data([
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
            0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
        ])
        let pin = Data(SHA256.hash(data: header + point))
        #expect(pin == Data(SHA256.hash(data: try Data(contentsOf: authority.file("leaf-key.der")))))
        let rsa = try #require(SecCertificateCopyKey(certificate(authority.file("root.der"))))
        #expect((SecKeyCopyAttributes(rsa) as? [String: Any])?[kSecAttrKeySizeInBits as String] as? Int == 2048)
    }

    @Test("an identity is read with its passphrase, and makes a credential")
    func identity() throws {
        let authority = try Authority()
        let file = try Data(contentsOf: authority.file("leaf.p12"))
        var items: CFArray?
        let options: [String: Any] = [
            kSecImportExportPassphrase as String: "secret", kSecImportToMemoryOnly as String: true,
        ]
        try #require(SecPKCS12Import(file as CFData, options as CFDictionary, &items) == errSecSuccess)
        let item = try #require((items as? [[String: Any]])?.first)
        let found = try #require(item[kSecImportItemIdentity as String]) as AnyObject
        #expect(CFGetTypeID(found) == SecIdentityGetTypeID())
        let identity = try #require(found as? SecIdentity)
        var own: SecCertificate?
        #expect(SecIdentityCopyCertificate(identity, &own) == errSecSuccess)
        #expect(try own.map(SecCertificateCopyData) as Data? == Data(contentsOf: authority.file("leaf.der")))
        let credential = URLCredential(identity: identity, certificates: nil, persistence: .forSession)
        #expect(credential.identity === identity)

        let wrong = [kSecImportExportPassphrase as String: "other"] as CFDictionary
        #expect(SecPKCS12Import(file as CFData, wrong, &items) == errSecAuthFailed)
        #expect(SecPKCS12Import(Data("no".utf8) as CFData, options as CFDictionary, &items) == errSecDecode)
        #expect(SecCertificateCreateWithData(nil, Data("no".utf8) as CFData) == nil)
    }

    @Test("a challenge's space keeps the trust that a test has given it")
    func serverTrust() throws {
        let authority = try Authority()
        var trust: SecTrust?
        let leaf = try certificate(authority.file("leaf.der"))
        try #require(SecTrustCreateWithCertificates(leaf, nil, &trust) == errSecSuccess)
        let made = try #require(trust)
        let space = URLProtectionSpace(
            host: "server.test", port: 443, protocol: "https", realm: nil,
            authenticationMethod: NSURLAuthenticationMethodServerTrust)
        #expect(space.serverTrust == nil)
        space.shimSetServerTrust(made)
        #expect(space.serverTrust === made)
        #expect(URLCredential(trust: made).shimAcceptedTrust === made)
    }

    private func certificate(_ file: URL) throws -> SecCertificate {
        try #require(SecCertificateCreateWithData(nil, Data(contentsOf: file) as CFData))
    }
}

/// A certificate authority of the test's own: an RSA root, and an elliptic leaf for server.test.
private struct Authority {
    private let folder: TemporaryFolder

    func file(_ name: String) -> URL { URL(filePath: folder.path + "/" + name) }

    init() throws {
        folder = try TemporaryFolder()
        let script = """
            set -e
            openssl req -x509 -newkey rsa:2048 -nodes -keyout root.key -out root.pem -subj /CN=root -days 2
            openssl ecparam -name prime256v1 -genkey -noout -out leaf.key
            openssl req -new -key leaf.key -subj /CN=server.test -out leaf.csr
            printf 'subjectAltName=DNS:server.test\\n' > names
            openssl x509 -req -in leaf.csr -CA root.pem -CAkey root.key -set_serial 7 -days 2 -extfile names -out leaf.pem
            openssl x509 -in root.pem -outform DER -out root.der
            openssl x509 -in leaf.pem -outform DER -out leaf.der
            openssl x509 -in leaf.pem -pubkey -noout | openssl pkey -pubin -outform DER -out leaf-key.der
            openssl pkcs12 -export -in leaf.pem -inkey leaf.key -certfile root.pem -passout pass:secret -out leaf.p12
            """
        try #require(runScript(script, in: folder.path) == 0)
    }
}
