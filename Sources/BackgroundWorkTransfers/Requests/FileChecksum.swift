import BackgroundWorkFiles
import BackgroundWorkModel

/// The expected checksum of a whole file.
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

    /// Why the digits are not valid; `nil` if they are.
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

/// How a file's checksum is computed. MD5 and SHA-1 find damage, but do not protect against deliberate changes.
public enum ChecksumAlgorithm: String, Sendable, Hashable, CaseIterable, Codable {
    /// 32 hexadecimal digits (RFC 1321).
    case md5 = "MD5"
    /// 40 hexadecimal digits (FIPS 180-4).
    case sha1 = "SHA1"
    /// 64 hexadecimal digits (FIPS 180-4).
    case sha256 = "SHA256"
    /// 128 hexadecimal digits (FIPS 180-4).
    case sha512 = "SHA512"

    /// Reads a name in any case, with or without a hyphen: `SHA-256`, `sha256`.
    public init?(name: String) { self.init(rawValue: name.uppercased().filter { $0 != "-" }) }

    /// How many hexadecimal digits a checksum has.
    public var hexDigits: Int {
        switch self {
        case .md5: 32
        case .sha1: 40
        case .sha256: 64
        case .sha512: 128
        }
    }

    /// Throws a `DecodingError` for a name that ``init(name:)`` does not know.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value(namedOneOf: "MD5, SHA1, SHA256 and SHA512") { Self(name: $0) }
    }
}

extension ChecksumAlgorithm {
    /// What computes it.
    package var digest: DigestAlgorithm {
        switch self {
        case .md5: .md5
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }
}
