import BackgroundWorkModel

/// The permissions of a file, as `chmod` takes them: who may read it, write it and execute it.
///
/// ```swift
/// download.fileMode = FileMode(0o640)
/// ```
public struct FileMode: Sendable, Hashable {
    /// The bits, from 0 to 0o777. Others, for example of set-user-ID, are refused when a download is enqueued.
    public var bits: UInt16

    /// Creates the permissions. Nothing is checked here.
    public init(_ bits: UInt16) { self.bits = bits }

    /// Reads octal digits; `nil` for another text, and for a number above 0o177777.
    package init?(digits: String) {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x37).contains($0) }),
            let bits = UInt16(digits, radix: 8)
        else { return nil }
        self.bits = bits
    }

    /// Four octal digits, or more.
    package var digits: String {
        let digits = String(bits, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }

    /// What is wrong with them; `nil` if a file may have them.
    package var complaint: String? {
        bits <= 0o777
            ? nil : "it is \(digits), but must be from 0000 to 0777: only permissions to read, write and execute"
    }
}

extension FileMode: Codable {
    /// Reads octal digits, such as `"0640"`. Throws a `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let mode = FileMode(digits: text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\"\(text.prefix(40))\" is not a file mode: octal digits such as \"0640\"")
        }
        self = mode
    }

    /// Writes four octal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(digits)
    }
}

extension FileMode: CustomStringConvertible {
    /// Four octal digits.
    public var description: String { digits }
}
