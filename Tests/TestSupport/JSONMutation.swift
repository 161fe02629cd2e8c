/// Changes to a JSON text that leave it one, or not.
package enum JSONMutation {
    /// Bytes that mean something to JSON, and some that break it.
    private static let alphabet =
        Array("{}[]\",:\\/ 0123456789.eE+-truefalsn\n\tudDcC".utf8) + [0, 0x1f, 0x7f, 0x80, 0xc3, 0xed, 0xf0, 0xff]

    /// One to three of them at random.
    package static func apply(to bytes: inout [UInt8], using generator: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let place = Int.random(in: 0..<max(1, bytes.count), using: &generator)
            let length = min(bytes.count - min(place, bytes.count), Int.random(in: 1...6, using: &generator))
            switch Int.random(in: 0..<5, using: &generator) {
            case 0 where place < bytes.count: bytes[place] = .random(in: 0...255, using: &generator)
            case 1 where place < bytes.count: bytes[place] = alphabet.randomElement(using: &generator) ?? 0
            case 2: bytes.insert(alphabet.randomElement(using: &generator) ?? 0, at: min(place, bytes.count))
            case 3: bytes.removeSubrange(min(place, bytes.count)..<min(place, bytes.count) + length)
            default:
                let piece = bytes[min(place, bytes.count)..<min(place, bytes.count) + length]
                bytes.insert(contentsOf: piece, at: Int.random(in: 0...bytes.count, using: &generator))
            }
        }
    }
}
