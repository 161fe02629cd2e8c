import BackgroundWorkFiles
import Testing

struct HMACTests {
    /// The test cases 1 to 4, 6 and 7 of RFC 4231. Case 5 is of a shortened code.
    static let vectors: [(key: [UInt8], text: [UInt8], code: String)] = [
        (
            Array(repeating: 0x0b, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            Array(repeating: 0xaa, count: 20), Array(repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            Array(1...25), Array(repeating: 0xcd, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            Array(repeating: 0xaa, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            Array(repeating: 0xaa, count: 131),
            Array(
                ("This is a test using a larger than block-size key and a larger than block-size data. The key needs to "
                    + "be hashed before being used by the HMAC algorithm.").utf8),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]

    @Test("it gives what RFC 4231 says, in one piece or byte by byte", arguments: vectors.indices)
    func standard(index: Int) throws {
        let (key, text, code) = Self.vectors[index]
        let whole = try HMAC(key: key)
        whole.update(text)
        #expect(try whole.finish() == code)
        let pieces = try HMAC(key: key)
        for byte in text { pieces.update([byte]) }
        #expect(try pieces.finish() == code)
    }

    @Test("an empty key and an empty text have a code as well")
    func empty() throws {
        #expect(
            try HMAC(key: []).finish() == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test("a key of exactly one block is used as it is")
    func block() throws {
        let code = try HMAC(key: Array(repeating: 0x61, count: 64))
        code.update(Array("x".utf8))
        #expect(try code.finish() == "b65ca3a3235f948bc0e6bd747532c54a983b54ddad1a4d1bd8b958e065b1cab4")
    }
}
