/// A secret, to be found in other text: without regard to the case of ASCII's letters, and also percent-encoded. By bytes,
/// so that no combining character hides a match.
struct SecretText: Sendable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = text.utf8.map(Self.folded) }

    /// The text with the mark in the place of each occurrence.
    func replaced(in text: String, by mark: String) -> String {
        guard text.utf8.count >= bytes.count else { return text }
        let plain = replaced(in: text, by: mark) { _ in false }
        return text.utf8.contains(UInt8(ascii: "%")) ? replaced(in: plain, by: mark) { $0 == UInt8(ascii: "%") } : plain
    }

    /// - Parameter isEscape: whether a byte begins one that is written by two hexadecimal digits.
    private func replaced(in text: String, by mark: String, isEscape: (UInt8) -> Bool) -> String {
        let source = Array(text.utf8)
        var meant: [UInt8] = []
        // Where each byte begins in the source, and where the last one ends.
        var places: [Int] = []
        meant.reserveCapacity(source.count)
        places.reserveCapacity(source.count + 1)
        var place = 0
        while place < source.count {
            places.append(place)
            if isEscape(source[place]), place + 2 < source.count, let high = Self.digit(source[place + 1]),
                let low = Self.digit(source[place + 2])
            {
                meant.append(Self.folded(high << 4 | low))
                place += 3
            } else {
                meant.append(Self.folded(source[place]))
                place += 1
            }
        }
        places.append(place)
        guard var match = meant.firstRange(of: bytes) else { return text }
        var result: [UInt8] = []
        var end = 0
        while true {
            result += source[end..<places[match.lowerBound]]
            result += Array(mark.utf8)
            end = places[match.upperBound]
            guard let next = meant[match.upperBound...].firstRange(of: bytes) else { break }
            match = next
        }
        return String(decoding: result + source[end...], as: UTF8.self)
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch folded(byte) {
        case let digit where (0x30...0x39).contains(digit): digit - 0x30
        case let letter where (0x61...0x66).contains(letter): letter - 0x61 + 10
        default: nil
        }
    }
}
