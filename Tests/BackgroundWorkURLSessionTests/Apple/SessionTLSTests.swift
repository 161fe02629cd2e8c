import BackgroundWorkFoundation
import BackgroundWorkTransfers
import Foundation
import Security
import TestSupport
import Testing

@testable import BackgroundWorkURLSession

/// A transfer's TLS options and the system's trust.
struct SessionTLSTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ content: Data) throws -> String {
        try content.write(to: URL(filePath: folder.path + "/" + name))
        return folder.path + "/" + name
    }

    /// What the system asks about: the server's certificate, for this host.
    private func trust(_ certificate: String, host: String = "localhost") throws -> SecTrust {
        let certificates = CertificateFile.certificates(inPEM: certificate)
            .compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        var trust: SecTrust?
        let status = SecTrustCreateWithCertificates(
            certificates as CFArray, SecPolicyCreateSSL(true, host as CFString), &trust)
        #expect(status == errSecSuccess)
        return try #require(trust)
    }

    private func options(_ change: (inout TLSOptions) throws -> Void) rethrows -> TLSOptions {
        var options = TLSOptions()
        try change(&options)
        return options
    }

    private func judge(_ trust: SecTrust, _ options: TLSOptions) throws -> String {
        switch try SessionTLS.judge(trust, options) {
        case .use: "use"
        case .byDefault: "by default"
        case .refuse(let reason): reason
        }
    }

    @Test("without options the system decides")
    func none() throws {
        #expect(try judge(trust(TestCertificates.server), TLSOptions()) == "by default")
    }

    @Test("an authority of one's own is trusted for its certificates, and for their hosts only")
    func authority() throws {
        let path = try file("authority.pem", Data(TestCertificates.authority.utf8))
        let options = options { $0.additionalAuthoritiesPath = path }
        #expect(try judge(trust(TestCertificates.server), options) == "use")
        #expect(try judge(trust(TestCertificates.server, host: "example.com"), options).contains("not trusted"))
        #expect(try judge(trust(TestCertificates.other, host: "r"), options).contains("not trusted"))
    }

    @Test("a pinned key is needed beside the trust, and does not replace it")
    func pins() throws {
        let path = try file("authority.pem", Data(TestCertificates.authority.utf8))
        let pinned = options {
            $0.additionalAuthoritiesPath = path
            $0.pinnedPublicKeys = [TestCertificates.otherPin, TestCertificates.serverPin]
        }
        #expect(try judge(trust(TestCertificates.server), pinned) == "use")
        let other = options {
            $0.additionalAuthoritiesPath = path
            $0.pinnedPublicKeys = [TestCertificates.otherPin]
        }
        #expect(try judge(trust(TestCertificates.server), other).contains("pinned keys"))
        let untrusted = options { $0.pinnedPublicKeys = [TestCertificates.serverPin] }
        #expect(try judge(trust(TestCertificates.server), untrusted).contains("not trusted"))
    }

    @Test("a PKCS #12 file with its password is a client's certificate; anything else is refused by its field")
    func identity() throws {
        let client = try #require(Data(base64Encoded: TestCertificates.client, options: .ignoreUnknownCharacters))
        let path = try file("client.p12", client)
        try SessionTLS.check(
            options {
                $0.clientCertificatePath = path
                $0.clientKeyPassword = "secret"
            })
        let pem = try file("client.pem", Data(TestCertificates.server.utf8))
        let bad: [(TLSOptions, String)] = [
            (options { $0.clientCertificatePath = path }, "tls.clientCertificatePath"),
            (options { $0.clientCertificatePath = pem }, "tls.clientCertificatePath"),
            (options { $0.clientCertificatePath = folder.path + "/none" }, "tls.clientCertificatePath"),
            (options { ($0.clientCertificatePath, $0.clientKeyPath) = (path, pem) }, "tls.clientKeyPath"),
            (options { $0.additionalAuthoritiesPath = path }, "tls.additionalAuthoritiesPath"),
        ]
        for (options, field) in bad {
            let error = #expect(throws: UnusableTLSFile.self) { try SessionTLS.check(options) }
            #expect(error?.field == field)
        }
    }

    @Test("the client's certificate goes to the transfer's own origin only")
    func origins() throws {
        let client = try #require(Data(base64Encoded: TestCertificates.client, options: .ignoreUnknownCharacters))
        let path = try file("client.p12", client)
        let options = options {
            $0.clientCertificatePath = path
            $0.clientKeyPassword = "secret"
        }
        let space = URLProtectionSpace(
            host: "localhost", port: 443, protocol: "https", realm: nil,
            authenticationMethod: NSURLAuthenticationMethodClientCertificate)
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
            sender: Sender())
        guard case .use(let credential) = SessionTLS.answer(to: challenge, with: options, isOwnOrigin: true) else {
            Issue.record("no certificate for the own origin")
            return
        }
        #expect(credential.identity != nil)
        guard case .byDefault = SessionTLS.answer(to: challenge, with: options, isOwnOrigin: false) else {
            Issue.record("the certificate goes to another origin")
            return
        }
    }

    /// Challenges need one.
    private final class Sender: NSObject, URLAuthenticationChallengeSender {
        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
        func cancel(_ challenge: URLAuthenticationChallenge) {}
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
    }
}
