import Testing

@testable import BackgroundWorkArchive

@Suite struct EntryPathTests {
    @Test(
        "a name that could lead out of its folder is refused",
        arguments: [
            "", "/etc/passwd", "//x", "../x", "a/../../x", "a/..", "..", "..\\x", "a\\b", "C:/x", "c:x", "a\0b",
            String(repeating: "x", count: 256), "a/" + String(repeating: "é", count: 128),
        ])
    func refused(name: String) {
        #expect(throws: ArchiveError.self) { try EntryPath(Array(name.utf8)) }
    }

    @Test(
        "other names are what they say",
        arguments: [
            ("a", ["a"]), ("a/b/", ["a", "b"]), ("./a//b/./c", ["a", "b", "c"]), ("./", []),
            ("..a/b..", ["..a", "b.."]),
            ("1:x", ["1:x"]), (String(repeating: "x", count: 255), [String(repeating: "x", count: 255)]),
        ])
    func accepted(name: String, components: [String]) throws {
        let path = try EntryPath(Array(name.utf8))
        #expect(path.components.map { String(decoding: $0, as: UTF8.self) } == components)
    }

    @Test("a backslash is a character as others in a name from Unix, except beside ..")
    func backslashes() throws {
        let path = try EntryPath(Array("a\\b/c\\".utf8), isFromUnix: true)
        #expect(path.components.map { String(decoding: $0, as: UTF8.self) } == ["a\\b", "c\\"])
        for name in ["..\\x", "a\\..\\x", "a/..\\x", "x\\.."] {
            #expect(throws: ArchiveError.self) { try EntryPath(Array(name.utf8), isFromUnix: true) }
        }
    }

    @Test(
        "a link is inside if it goes up only at its beginning, and not above the root",
        arguments: [
            ("a", "b", true), ("a/l", "../b", true), ("a/l", "..", true), ("a/b/l", "../../c/d", true),
            ("l", "./a/", true),
            ("l", "..", false), ("l", "../a", false), ("a/l", "../../b", false), ("a/l", "b/../c", false),
            ("a/l", "../b/..", false), ("l", "/a", false), ("l", "", false), ("l", "a\0", false),
        ])
    func links(path: String, target: String, isInside: Bool) throws {
        #expect(try EntryPath(Array(path.utf8)).contains(target: Array(target.utf8)) == isInside)
    }

    @Test("names in messages have no control characters and a limited length")
    func shown() {
        #expect(ZipEntry.shown(Array("a\u{1b}[31m\n\u{202e}b".utf8)) == "a\u{fffd}[31m\u{fffd}\u{fffd}b")
        #expect(ZipEntry.shown([UInt8](repeating: 0x61, count: 60_000)).utf8.count < 210)
    }

    @Test("every character of code page 437 becomes one of Unicode")
    func codePage() {
        let text = String(decoding: CodePage437.utf8((0x80...0xff).map { $0 }), as: UTF8.self)
        #expect(Set(text.unicodeScalars).count == 128)
        #expect(text.unicodeScalars.first == "Ç" && text.unicodeScalars.last == "\u{a0}")
        #expect(CodePage437.utf8(Array("plain".utf8)) == Array("plain".utf8))
    }

    @Test(
        "MS-DOS times are exact to two seconds, from 1980 to 2107",
        arguments: [Int64(1_700_000_001), 1_000_000_000, 315_700_000, 4_300_000_000])
    func times(seconds: Int64) {
        #expect(DOSTime(seconds: seconds).seconds == seconds / 2 * 2)
    }

    @Test("times that MS-DOS does not know become the nearest, and bits that are not a time none")
    func timesOutside() {
        #expect(DOSTime(seconds: -5).bits == 0x0021_0000)
        #expect(DOSTime(seconds: 9_000_000_000).bits == 0xff9f_bf7d)
        #expect(DOSTime(bits: 0).seconds == nil)
        #expect(DOSTime(bits: 0xffff_ffff).seconds == nil)
    }
}
