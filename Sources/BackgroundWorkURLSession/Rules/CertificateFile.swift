/// The content of files that hold certificates.
enum CertificateFile {
    /// The certificates of a PEM file (RFC 7468), each in DER. What is none is left out.
    static func certificates(inPEM text: String) -> [Data] {
        var certificates: [Data] = []
        var body: String?
        for line in text.split(whereSeparator: \.isNewline).map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if line == "-----BEGIN CERTIFICATE-----" {
                body = ""
            } else if line == "-----END CERTIFICATE-----" {
                if let data = body.flatMap({ Data(base64Encoded: $0) }) { certificates.append(data) }
                body = nil
            } else {
                body? += line
            }
        }
        return certificates
    }
}
