import BackgroundWorkFiles

extension StreamingDigest {
    func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The digest of a text as lowercase hexadecimal digits; `nil` when the system cannot compute it.
    static func of(_ text: String, _ algorithm: DigestAlgorithm) -> String? {
        guard let digest = try? StreamingDigest(algorithm) else { return nil }
        digest.update(Array(text.utf8))
        return try? digest.finish()
    }
}
