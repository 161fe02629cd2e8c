import Testing

@testable import BackgroundWorkTransfers

struct TargetNameTests {
    @Test(
        "the number goes in front of the extension",
        arguments: [
            ("/a/name.ext", "/a/name_1.ext"), ("/name", "/name_1"), ("/a.b/name", "/a.b/name_1"),
            ("/a/name.tar.gz", "/a/name.tar_1.gz"), ("/a/.hidden", "/a/.hidden_1"), ("/a/x.", "/a/x_1."),
        ])
    func numbered(path: String, expected: String) { #expect(TargetName.numbered(path, 1) == expected) }

    @Test("a long name is shortened to make room for the number")
    func long() {
        let name = String(repeating: "ä", count: 125) + ".bin"
        let numbered = TargetName.numbered("/a/" + name, 12_345)
        #expect(numbered.utf8.count <= 255 + 3)
        #expect(numbered.hasSuffix("ä_12345.bin"))
    }
}
