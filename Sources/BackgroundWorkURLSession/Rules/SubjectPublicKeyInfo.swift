/// Finds a certificate's public key in its bytes, as pins name it: the whole SubjectPublicKeyInfo.
enum SubjectPublicKeyInfo {
    /// - Parameter certificate: in DER (RFC 5280, section 4.1).
    /// - Returns: `nil` when it is no certificate.
    static func bytes(ofCertificate certificate: Data) -> Data? {
        var outer = DERReader(certificate)
        guard var certificate = outer.sequence(), var fields = certificate.sequence() else { return nil }
        // The version, which version 1 leaves out.
        if fields.nextTag == 0xA0 { _ = fields.element() }
        // Serial number, signature algorithm, issuer, validity, subject.
        for _ in 0..<5 where fields.element() == nil { return nil }
        guard fields.nextTag == DERReader.sequenceTag else { return nil }
        return fields.element()
    }
}

/// Reads elements of DER (ITU-T X.690) one after the other.
private struct DERReader {
    static let sequenceTag: UInt8 = 0x30

    private var rest: Data

    init(_ bytes: Data) { rest = bytes }

    var nextTag: UInt8? { rest.first }

    /// The next element with its tag and length; `nil` when it is not there whole.
    mutating func element() -> Data? {
        guard let (header, length) = head(), header + length <= rest.count else { return nil }
        let element = rest.prefix(header + length)
        rest = rest.dropFirst(element.count)
        return element
    }

    /// What the next element holds, if it is a sequence.
    mutating func sequence() -> DERReader? {
        guard nextTag == Self.sequenceTag, let (header, _) = head(), let element = element() else { return nil }
        return DERReader(element.dropFirst(header))
    }

    /// How many bytes the tag and the length of the next element take, and how many it has itself.
    private func head() -> (header: Int, length: Int)? {
        guard rest.count >= 2 else { return nil }
        let first = Int(rest[rest.startIndex + 1])
        if first < 0x80 { return (2, first) }
        let count = first & 0x7F
        guard (1...4).contains(count), rest.count >= 2 + count else { return nil }
        let length = rest.dropFirst(2).prefix(count).reduce(0) { $0 << 8 | Int($1) }
        return (2 + count, length)
    }
}
