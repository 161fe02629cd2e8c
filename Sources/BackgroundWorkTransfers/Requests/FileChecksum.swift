/// What a whole file must have as its checksum.
public struct FileChecksum: Sendable, Hashable, Codable {
    /// How it is computed.
    public var algorithm: ChecksumAlgorithm
    /// The digits, in lower case.
    public var hex: String

    /// Takes the digits in either case. Their number is checked when the transfer is handed off.
    public init(_ algorithm: ChecksumAlgorithm, hex: String) {
        self.algorithm = algorithm
        self.hex = hex.lowercased()
    }

    /// What is wrong with the digits, in words; `nil` when nothing is.
    package var complaint: String? {
        guard hex.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else {
            return "it has characters other than hexadecimal digits"
        }
        guard hex.utf8.count == algorithm.hexDigits else {
            return "\(algorithm.rawValue) has \(algorithm.hexDigits) hexadecimal digits, not \(hex.utf8.count)"
        }
        return nil
    }
}
