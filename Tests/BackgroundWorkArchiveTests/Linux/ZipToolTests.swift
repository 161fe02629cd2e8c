import BackgroundWorkFiles
import BackgroundWorkSystem
import TestSupport
import Testing

@testable import BackgroundWorkArchive

/// Other programs and this package read each other's archives: unzip, zip, and Python's zipfile.
@Suite struct ZipToolTests {
    private func run(_ program: String, _ arguments: [String], in file: ArchiveFile) throws -> String {
        let log = file.folder.path + "/output"
        _ = unlink(log)
        let child = try ChildProcess(
            "/usr/bin/env", [program] + arguments,
            environment: ["PATH": "/usr/bin:/bin", "TZ": "UTC", "LC_ALL": "C.UTF-8"],
            log: log)
        let change = child.waitForChange()
        let output = String(decoding: try WholeFile.read(log) ?? [], as: UTF8.self)
        #expect(change == .exited(0), "\(program): \(output)")
        return output
    }

    /// Runs a Python program with the archive's path as its argument.
    private func python(_ program: String, _ file: ArchiveFile) throws -> String {
        try run("python3", ["-c", program, file.path], in: file)
    }

    @Test(
        "unzip and Python find an archive of this package without fault",
        arguments: [ZipLimits.standard, ZipLimits(bytes: 1_000, entries: 3, largeFile: 900)])
    func ours(limits: ZipLimits) throws {
        let file = try ArchiveFile()
        try file.write(ZipRoundTripTests.contents, limits: limits)
        #expect(try run("unzip", ["-t", file.path], in: file).contains("No errors detected"))
        let listing = try run("zipinfo", [file.path], in: file)
        for line in ["drwxr-x---", "-rw-------", "-rwxr-xr-x", "lrwxrwxrwx", "ünï/日本語.txt", "defN", "stor"] {
            #expect(listing.contains(line), "\(line) in \(listing)")
        }
        let found = try python(
            """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1]) as archive:
                assert archive.testzip() is None
                for entry in archive.infolist():
                    print(entry.filename, entry.file_size, oct(entry.external_attr >> 16), entry.date_time)
            """, file)
        #expect(found.contains("folder/text.txt 100000 0o100600 (2023, 11, 14, 22, 13, 20)"), "\(found)")
        #expect(found.contains("ünï/日本語.txt 2 0o100644"), "\(found)")
        #expect(found.contains("link 15 0o120777"), "\(found)")
    }

    @Test("unzip restores what this package has written, with times and permissions")
    func extractedByUnzip() throws {
        let file = try ArchiveFile()
        try file.write(ZipRoundTripTests.contents)
        let target = file.folder.path + "/out"
        _ = try run("unzip", ["-q", file.path, "-d", target], in: file)
        for content in ZipRoundTripTests.contents where content.kind == .file && content.modified != -1 {
            #expect(try WholeFile.read(target + "/" + content.name) == content.bytes)
            var status = stat()
            #expect(stat(target + "/" + content.name, &status) == 0)
            #expect(Int64(status.st_mtim.tv_sec) == content.modified)
            #expect(UInt16(status.st_mode & 0o777) == content.mode)
        }
    }

    @Test("an archive of Python is read: deflated and stored, UTF-8, folders, a comment", arguments: ["wb", "stream"])
    func python(mode: String) throws {
        let file = try ArchiveFile()
        // A stream that cannot be sought gets data descriptors.
        _ = try python(
            """
            import sys, zipfile
            class Stream:
                def __init__(self, file): self.file = file
                def write(self, data): return self.file.write(data)
                def flush(self): self.file.flush()
            file = open(sys.argv[1], "wb")
            target = Stream(file) if "\(mode)" == "stream" else file
            with zipfile.ZipFile(target, "w") as archive:
                archive.comment = b"with a comment PK\\x05\\x06"
                archive.writestr("plain.txt", b"plain" * 1000, zipfile.ZIP_DEFLATED)
                archive.writestr("stored.txt", b"stored")
                archive.writestr("\\u65e5\\u672c.txt", b"utf-8", zipfile.ZIP_DEFLATED)
                archive.writestr("folder/", b"")
                with archive.open("large.txt", "w", force_zip64=True) as entry: entry.write(b"z" * 10)
            file.close()
            """, file)
        let contents = try file.read()
        #expect(contents.map(\.name) == ["plain.txt", "stored.txt", "日本.txt", "folder", "large.txt"])
        #expect(contents.map(\.bytes.count) == [5_000, 6, 5, 0, 10])
        #expect(contents[3].kind == .folder)
    }

    @Test("an archive of zip is read: by file and by pipe, with links, permissions and times")
    func zip() throws {
        let file = try ArchiveFile()
        let folder = file.folder.path + "/in"
        mkdir(folder, 0o755)
        try DurableFile.replace(folder + "/text", with: ArchiveFile.text(50_000))
        chmod(folder + "/text", 0o640)
        try DurableFile.replace(folder + "/Grüße.txt", with: [1, 2, 3])
        symlink("text", folder + "/link")
        _ = try run("sh", ["-c", "cd \(folder) && zip -qry \(file.path) ."], in: file)
        let byFile = try file.read().sorted { $0.name < $1.name }
        #expect(byFile.map(\.name) == ["Grüße.txt", "link", "text"])
        #expect(byFile.map(\.kind) == [.file, .link, .file])
        #expect(byFile[2].mode == 0o640)
        #expect(byFile[2].bytes == ArchiveFile.text(50_000))
        var status = stat()
        #expect(stat(folder + "/text", &status) == 0)
        #expect(byFile[2].modified == Int64(status.st_mtim.tv_sec))
        // By a pipe, with data descriptors and ZIP64 fields. zip cannot do that with links.
        unlink(folder + "/link")
        _ = try run("sh", ["-c", "cd \(folder) && zip -qr - . | cat > \(file.path)"], in: file)
        #expect(try file.read().sorted { $0.name < $1.name } == [byFile[0], byFile[2]])
        // What was prepended, with offsets that are adjusted and that are not.
        _ = try run("sh", ["-c", "(echo begin; cat \(file.path)) > \(file.path).sfx"], in: file)
        let plain = try file.bytes()
        try file.replace(with: try WholeFile.read(file.path + ".sfx") ?? [])
        #expect(try file.read().sorted { $0.name < $1.name } == [byFile[0], byFile[2]])
        _ = try run("zip", ["-qA", file.path], in: file)
        #expect(try file.read().sorted { $0.name < $1.name } == [byFile[0], byFile[2]])
        // An encrypted one.
        try file.replace(with: plain)
        _ = try run("sh", ["-c", "cd \(folder) && rm \(file.path) && zip -q -P secret \(file.path) text"], in: file)
        #expect(throws: ArchiveError.unsupported("the entry \"text\" is encrypted")) { try file.read() }
    }

    @Test("a name in another character set than UTF-8 is read as code page 437 says")
    func oldName() throws {
        let file = try ArchiveFile()
        _ = try python(
            """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w") as archive:
                entry = zipfile.ZipInfo("Gr__e.txt")
                entry.create_system = 0
                archive.writestr(entry, b"x")
            data = open(sys.argv[1], "rb").read().replace(b"Gr__e", b"Gr\\x81\\xe1e")
            open(sys.argv[1], "wb").write(data)
            """, file)
        #expect(try file.read().map(\.name) == ["Grüße.txt"])
    }
}
