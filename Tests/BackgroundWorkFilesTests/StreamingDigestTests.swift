import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkFiles

struct StreamingDigestTests {
    /// The test vectors of RFC 1321 and FIPS 180: of nothing, and of "abc".
    static let vectors: [(DigestAlgorithm, empty: String, abc: String)] = [
        (.md5, "d41d8cd98f00b204e9800998ecf8427e", "900150983cd24fb0d6963f7d28e17f72"),
        (.sha1, "da39a3ee5e6b4b0d3255bfef95601890afd80709", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            .sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        ),
        (
            .sha512,
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ]

    @Test("each algorithm gives what its standard says, in one piece or in several", arguments: vectors.indices)
    func standard(index: Int) throws {
        let (algorithm, empty, abc) = Self.vectors[index]
        #expect(try StreamingDigest(algorithm).finish() == empty)
        let digest = try StreamingDigest(algorithm)
        for piece in ["a", "", "bc"] { Array(piece.utf8).withUnsafeBytes { digest.update($0) } }
        #expect(try digest.finish() == abc)
    }

    @Test("a file is digested from an offset, up to a byte or its end, and the descriptor stays where it was")
    func file() throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        let path = folder.path + "/file"
        try Data(bytes).write(to: URL(filePath: path))
        let file = OpenFile(path)
        let whole = try StreamingDigest(.sha1)
        bytes[..<123].withUnsafeBytes { whole.update($0) }
        #expect(try whole.update(reading: file.descriptor, from: 123, path: path) == 699_878)
        let parts = try StreamingDigest(.sha1)
        #expect(try parts.update(reading: file.descriptor, to: 400_000, path: path) == 400_000)
        #expect(try parts.update(reading: file.descriptor, from: 400_000, path: path) == 300_001)
        let digits = try FileDigest.blocking(.sha1, ofFileAt: path)
        #expect(try whole.finish() == digits)
        #expect(try parts.finish() == digits)
        #expect(file.position == 0)
    }

    @Test("what cannot be read is an error that names the file")
    func unreadable() throws {
        let error = #expect(throws: FileError.self) { try FileDigest.blocking(.md5, ofFileAt: "/nowhere/file") }
        #expect(error?.path == "/nowhere/file")
        let digest = try StreamingDigest(.md5)
        #expect(throws: FileError.self) { try digest.update(reading: -1, path: "closed") }
    }
}
