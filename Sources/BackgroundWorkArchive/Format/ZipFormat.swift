/// Constants of PKWARE's APPNOTE.TXT, version 6.3.10.
enum ZipFormat {
    static let localHeader: UInt32 = 0x0403_4b50
    static let dataDescriptor: UInt32 = 0x0807_4b50
    static let centralHeader: UInt32 = 0x0201_4b50
    static let largeEnd: UInt32 = 0x0606_4b50
    static let largeEndLocator: UInt32 = 0x0706_4b50
    static let end: UInt32 = 0x0605_4b50

    /// Lengths of the records without their variable parts.
    static let localHeaderBytes = 30
    static let centralHeaderBytes = 46
    static let largeEndBytes = 56
    static let largeEndLocatorBytes = 20
    static let endBytes = 22

    /// A 16-bit or 32-bit field with this value has its number in a ZIP64 record.
    static let isLarge16 = UInt16.max
    static let isLarge32 = UInt32.max

    static let stored: UInt16 = 0
    static let deflated: UInt16 = 8

    /// General purpose flags.
    static let encrypted: UInt16 = 1 << 0
    static let hasDescriptor: UInt16 = 1 << 3
    static let patched: UInt16 = 1 << 5
    static let stronglyEncrypted: UInt16 = 1 << 6
    static let utf8: UInt16 = 1 << 11
    static let masked: UInt16 = 1 << 13

    /// Identifiers of extra fields.
    static let largeField: UInt16 = 0x0001
    static let timesField: UInt16 = 0x5455
    static let unicodePathField: UInt16 = 0x7075

    /// Systems that have made an entry, in the upper byte of "version made by".
    static let unix: UInt8 = 3
    static let darwin: UInt8 = 19

    /// The longest name: the length has 16 bits.
    package static let longestName = Int(UInt16.max)

    /// Names of methods that are not supported.
    static func name(ofMethod method: UInt16) -> String {
        switch method {
        case 9: "method 9, Deflate64"
        case 12: "method 12, bzip2"
        case 14: "method 14, LZMA"
        case 93: "method 93, Zstandard"
        case 95: "method 95, XZ"
        case 99: "method 99, AES encryption"
        default: "method \(method)"
        }
    }
}
