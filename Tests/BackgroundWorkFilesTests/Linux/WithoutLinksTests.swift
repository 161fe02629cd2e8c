import BackgroundWorkSystem
import CBackgroundWorkLinux
import TestSupport
import Testing

/// Both ways to open a path without links: the kernel's, and component by component for older ones.
struct WithoutLinksTests {
    private static let ways = [bgw_open_without_links, bgw_walk_without_links]
    private let folder: TemporaryFolder
    private let root: String

    init() throws {
        folder = try TemporaryFolder()
        let resolved = try #require(realpath(folder.path, nil))
        defer { free(resolved) }
        root = String(cString: resolved)
        try #require(mkdir(root + "/a", 0o700) == 0 && mkdir(root + "/a/b", 0o700) == 0)
        close(open(root + "/a/b/file", O_CREAT | O_WRONLY, 0o600))
        try #require(symlink("a", root + "/link") == 0 && symlink("file", root + "/a/b/last") == 0)
    }

    private func codes(_ path: String, _ flags: Int32 = O_RDONLY) -> [Int32] {
        Self.ways.map { way in
            let descriptor = way(root + path, flags)
            if descriptor < 0 { return errno }
            close(descriptor)
            return 0
        }
    }

    @Test("what has no link in it is opened")
    func plain() {
        #expect(codes("/a/b/file") == [0, 0])
        #expect(codes("/a/b", O_RDONLY | O_DIRECTORY) == [0, 0])
        #expect(codes("/a//b/", O_RDONLY | O_DIRECTORY) == [0, 0])
        #expect(bgw_walk_without_links("/", O_RDONLY | O_DIRECTORY) >= 0)
    }

    @Test("a link anywhere in it is an error, and so is what is missing")
    func links() {
        for path in ["/link/b/file", "/a/b/last"] {
            for code in codes(path) { #expect(code == ELOOP || code == ENOTDIR, "\(path): \(code)") }
        }
        #expect(codes("/a/none/file") == [ENOENT, ENOENT])
        #expect(codes("/a/b/file/below") == [ENOTDIR, ENOTDIR])
    }

    @Test("the magic links of /proc are links")
    func magicLinks() {
        for way in Self.ways { #expect(way("/proc/self/root", O_RDONLY | O_DIRECTORY) == -1) }
    }
}
