import Testing

@testable import BackgroundWorkModel

@Suite("Which paths a policy allows")
struct FileRulesTests {
    private func complaint(
        _ path: String, in directories: [String]? = nil, for use: FileRules.Use = .content
    ) -> String? {
        FileRules(allowedDirectories: directories).complaint(about: path, for: use)
    }

    @Test(
        "ordinary paths are allowed, also those that resemble a system folder",
        arguments: [
            "/home/me/a", "/a", "/home/me/folder/", "/procedures/a", "/home/proc/a", "/home/me/..a", "/home/me/a..",
            "/home/me/...", "/systems", "/device", "/etcetera", "//home//me/./a", "/home/é\u{301}/😀",
        ])
    func allowed(path: String) { #expect(complaint(path) == nil) }

    @Test(
        "a path is absolute, without NUL, and has no step upwards",
        arguments: [
            ("", "blank"), ("  ", "blank"), ("a/b", "absolute"), ("~/a", "absolute"), ("\u{301}/a", "absolute"),
            ("/a\0b", "NUL"), ("/home/me/../you", "\"..\""), ("/..", "\"..\""), ("/a/..", "\"..\""),
            ("/../a", "\"..\""),
            ("/a/../", "\"..\""),
        ])
    func malformed(path: String, words: String) {
        #expect(complaint(path)?.contains(words) == true, "\(complaint(path) ?? "")")
    }

    @Test(
        "system folders are closed, however they are spelled",
        arguments: [
            "/proc", "/proc/self/root/home/me/a", "//proc/a", "/./proc/a", "/proc/", "/proc/.", "/sys/a", "/dev/null",
            "/dev/shm/a", "/dev//shm/a", "/etc/passwd", "/etc", "/proc/\u{301}a",
        ])
    func systemFolders(path: String) {
        #expect(complaint(path) != nil)
        #expect(complaint(path, in: ["/"]) != nil, "a folder above does not name it")
    }

    @Test("/dev/shm and /etc are open to a policy that names them; /proc, /sys and the rest of /dev never")
    func named() {
        #expect(complaint("/dev/shm/a", in: ["/dev/shm"]) == nil)
        #expect(complaint("/dev/shm/sub/a", in: ["/dev/shm/sub/"]) == nil)
        #expect(complaint("/dev/shm/other/a", in: ["/dev/shm/sub"]) != nil)
        #expect(complaint("/dev/shm/a", in: ["/dev"]) != nil)
        #expect(complaint("/dev/null", in: ["/dev", "/dev/shm"]) != nil)
        #expect(complaint("/etc/me/a", in: ["/etc/me"]) == nil)
        #expect(complaint("/etc/me/a", in: ["/etc"]) == nil)
        #expect(complaint("/etc/you/a", in: ["/etc/me", "/"]) != nil)
        #expect(complaint("/proc/1/a", in: ["/proc", "/proc/1"]) != nil)
        #expect(complaint("/sys/a", in: ["/sys"]) != nil)
    }

    @Test("with allowed folders, only what is in one of them is allowed")
    func directories() {
        let folders = ["/home/me/in", "/srv//files/./"]
        for path in ["/home/me/in", "/home/me/in/a", "/home/me/in/a/b", "/srv/files/a", "/srv/files/"] {
            #expect(complaint(path, in: folders) == nil, "\(path)")
        }
        for path in ["/home/me/inside", "/home/me", "/home/me/i", "/srv/filesystem/a", "/a", "/home/me/in/../a"] {
            #expect(complaint(path, in: folders) != nil, "\(path)")
        }
        #expect(complaint("/a", in: []) == "the security policy allows no folder for files")
        #expect(complaint("/a", in: ["relative", "."]) != nil)
        #expect(complaint("/a/b", in: ["/"]) == nil)
        #expect(complaint("/x", in: folders)?.contains("/home/me/in, /srv/files") == true)
    }

    #if !BACKGROUNDWORK_HAS_DARWIN
    @Test("names are compared by their bytes, as the file system does")
    func spelling() {
        #expect(complaint("/home/\u{e9}/a", in: ["/home/e\u{301}"]) != nil)
        #expect(complaint("/Home/a", in: ["/home"]) != nil)
    }
    #endif

    @Test("certificates may also be in /etc, and nowhere else outside of the allowed folders")
    func certificates() {
        let path = "/etc/ssl/certs/ca-certificates.crt"
        #expect(complaint(path, for: .certificate) == nil)
        #expect(complaint(path, in: ["/home/me"], for: .certificate) == nil)
        #expect(complaint("/home/me/key.pem", in: ["/home/me"], for: .certificate) == nil)
        #expect(complaint("/home/you/key.pem", in: ["/home/me"], for: .certificate) != nil)
        #expect(complaint("/proc/self/environ", for: .certificate) != nil)
        #expect(complaint("/dev/stdin", for: .certificate) != nil)
    }

    @Test("names and paths that no file system takes are refused")
    func lengths() {
        let name = String(repeating: "n", count: FileRules.longestName)
        #expect(complaint("/" + name) == nil)
        #expect(complaint("/" + name + "n")?.contains("256 bytes") == true)
        #expect(complaint("/" + String(repeating: "é", count: 128))?.contains("256 bytes") == true)
        let path = String(repeating: "/n", count: FileRules.longestPath / 2) + "n"
        #expect(path.utf8.count == FileRules.longestPath)
        #expect(complaint(path) == nil)
        #expect(complaint(path + "n")?.contains("\(FileRules.longestPath + 1) bytes") == true)
    }

    @Test(
        "a path is normalized; a slash at the end stays",
        arguments: [
            ("/a//b/./c", "/a/b/c"), ("//a", "/a"), ("/a/", "/a/"), ("/a/.", "/a/"), ("/", "/"), ("/.", "/"),
            ("/a/.b/c.", "/a/.b/c."), ("/a", "/a"), ("/a///", "/a/"),
        ])
    func normalized(path: String, expected: String) { #expect(FileRules.normalized(path) == expected) }
}
