import CryptoKit
import FoundationEssentials
import Testing

@Suite("CryptoKit")
struct CryptoKitTests {
    @Test("digests are the known ones, in pieces and at once")
    func digests() {
        let data = Data("abc".utf8)
        #expect(
            "\(SHA256.hash(data: data))"
                == "SHA256Digest: ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(hex(Insecure.MD5.hash(data: data)) == "900150983cd24fb0d6963f7d28e17f72")
        #expect(hex(Insecure.SHA1.hash(data: data)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(
            hex(SHA512.hash(data: data)).hasPrefix("ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"))
        var pieces: any HashFunction = SHA256()
        pieces.update(data: Data("a".utf8))
        let copy = pieces
        pieces.update(data: Data("bc".utf8))
        #expect(hex(pieces.finalize()) == hex(SHA256.hash(data: data)))
        #expect(hex(pieces.finalize()) == hex(SHA256.hash(data: data)))
        #expect(hex(copy.finalize()) == hex(SHA256.hash(data: Data("a".utf8))))
    }

    private func hex(_ digest: some Sequence<UInt8>) -> String {
        digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
