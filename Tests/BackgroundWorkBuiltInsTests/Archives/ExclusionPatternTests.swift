import Testing

@testable import BackgroundWorkBuiltIns

@Suite struct ExclusionPatternTests {
    private func matches(_ pattern: String, _ path: String) -> Bool {
        let isFolder = path.hasSuffix("/")
        let parts = path.split(separator: "/").map { Array($0.utf8) }
        return Exclusions([pattern])
            .matches(folders: Array(parts.dropLast()), name: parts.last ?? [], isFolder: isFolder)
    }

    @Test(
        "a pattern matches",
        arguments: [
            ("*.tmp", "a.tmp"), ("*.tmp", "x/y/a.TMP"), (".DS_Store", "a/.ds_store"), ("cache/", "cache/"),
            ("cache/", "a/Cache/"), ("temp*", "temporary"), ("*", "anything"), ("?.txt", "ä.txt"), ("a?c", "abc"),
            ("[abc].c", "b.c"), ("[a-z]1", "q1"), ("[!a-z]1", "21"), ("[^a]", "b"), ("[]]", "]"), ("[", "["),
            ("[ab", "[ab"), (#"\*"#, "*"), (#"\[a]"#, "[a]"), ("/build", "build"), ("a/*.c", "a/x.c"),
            ("**/x", "x"), ("**/x", "a/b/x"), ("a/**", "a/b/c"), ("a/**/b", "a/b"), ("a/**/b", "a/x/y/b"),
            ("a/*/c", "a/b/c"), ("*a*b*c*", "xxaxxbxxcxx"), ("build/", "x/build/"), ("e\u{301}", "é"), ("**", "a"),
        ])
    func matching(pattern: String, path: String) { #expect(matches(pattern, path)) }

    @Test(
        "a pattern does not match",
        arguments: [
            ("*.tmp", "a.tmp.txt"), ("cache/", "cache"), ("temp*", "a-temp"), ("?.txt", "ab.txt"), ("[abc]", "d"),
            ("[!a-z]1", "q1"), (#"\*"#, "a"), ("/build", "a/build"), ("a/*.c", "a/b/x.c"), ("a/*.c", "b/a/x.c"),
            ("a/**/b", "a/xb"), ("a/**", "b/a/c"), ("tmp", "tmp2"), ("a/b", "b"), ("a", "b/"),
        ])
    func notMatching(pattern: String, path: String) { #expect(!matches(pattern, path)) }

    @Test("a pattern that is made to be slow is not")
    func slow() {
        let name = String(repeating: "a", count: 250)
        #expect(!matches(String(repeating: "*a", count: 400) + "b", name))
        #expect(
            !matches(
                String(repeating: "**/a/", count: 150) + "b", Array(repeating: "a", count: 400).joined(separator: "/")))
    }

    @Test("blank, long and unprintable patterns are refused")
    func complaints() {
        for text in ["", " ", "/", "//", String(repeating: "x", count: 1_001), "a\0"] {
            #expect(ExclusionPattern.complaint(about: text) != nil)
        }
        #expect(ExclusionPattern.complaint(about: "*.tmp") == nil)
    }
}
