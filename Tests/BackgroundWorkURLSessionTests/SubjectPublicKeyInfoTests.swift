import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkURLSession

struct SubjectPublicKeyInfoTests {
    private static let certificates = [
        (TestCertificates.server, TestCertificates.serverPin), (TestCertificates.other, TestCertificates.otherPin),
    ]

    @Test("a certificate's key is what openssl makes pins of", arguments: certificates)
    func pins(_ text: String, _ pin: String) async throws {
        let certificate = try #require(CertificateFile.certificates(inPEM: text).first)
        let key = try #require(SubjectPublicKeyInfo.bytes(ofCertificate: certificate))
        let folder = try TemporaryFolder()
        try key.write(to: URL(filePath: folder.path + "/key"))
        let hex = Data(base64Encoded: pin).map { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        #expect(try await StagingArea.digest(.sha256, ofFileAt: folder.path + "/key") == hex)
    }

    @Test("bytes that are cut anywhere are no certificate, and end nothing but the search")
    func cut() throws {
        let certificate = try #require(CertificateFile.certificates(inPEM: TestCertificates.server).first)
        for count in 0..<certificate.count {
            #expect(SubjectPublicKeyInfo.bytes(ofCertificate: certificate.prefix(count)) == nil)
        }
    }

    @Test("bytes that were changed anywhere end nothing but the search")
    func changed() throws {
        let certificate = try #require(CertificateFile.certificates(inPEM: TestCertificates.server).first)
        for index in certificate.indices {
            for value in [0x00, 0x30, 0x7F, 0x80, 0x84, 0xFF] as [UInt8] {
                var changed = certificate
                changed[index] = value
                if let key = SubjectPublicKeyInfo.bytes(ofCertificate: changed) { #expect(key.count < changed.count) }
            }
        }
    }

    @Test("a file's certificates are found between other text")
    func file() {
        let text =
            "one\r\n\(TestCertificates.authority)\n two \n\n\(TestCertificates.other)\n-----BEGIN CERTIFICATE-----\nAA"
        #expect(CertificateFile.certificates(inPEM: text).count == 2)
        #expect(
            CertificateFile.certificates(inPEM: "-----BEGIN CERTIFICATE-----\n%\n-----END CERTIFICATE-----").isEmpty)
    }
}
