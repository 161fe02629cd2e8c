import BackgroundWorkFiles

import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkTransfers

/// Paths below folders that have moved.
struct FolderMovesTests {
    private static let container = "/var/mobile/Containers/Data/Application"
    private static let moves = FolderMoves([
        "app": [container + "/C", container + "/B", container + "/A"], "group": ["/groups/2", "/groups/1"],
        "still": ["/srv"],
    ])

    private static let examples = [
        (container + "/A/Documents/film", container + "/C/Documents/film"),
        (container + "/B/Documents/film", container + "/C/Documents/film"),
        (container + "/C/Documents/film", container + "/C/Documents/film"),
        ("/private" + container + "/A/tmp", container + "/C/tmp"), (container + "/A", container + "/C"),
        (container + "/AB/film", container + "/AB/film"), ("/groups/1/x", "/groups/2/x"), ("/srv/x", "/srv/x"),
        ("/elsewhere/x", "/elsewhere/x"), ("", ""),
    ]

    @Test("a path below a former place of a folder is one below its current place", arguments: examples)
    func paths(_ stored: String, _ current: String) { #expect(Self.moves.current(stored) == current) }

    @Test("a container is found by the paths that were stored in it before there was a record, and only beside its own")
    func formerContainers() {
        let ids = (0..<3).map { _ in UUID().uuidString }
        let paths = [
            Self.container + "/\(ids[0])/Documents/a", "/private" + Self.container + "/\(ids[1])/Library/b",
            Self.container + "/\(ids[0])/Documents/c", Self.container + "/\(ids[2])/d", Self.container + "/other/e",
            "/elsewhere/\(ids[1])/f",
        ]
        let found = FormerContainers.found(beside: Self.container + "/" + ids[2], in: paths)
        #expect(found == ids[..<2].sorted().map { Self.container + "/" + $0 })
        #expect(FormerContainers.found(beside: "/home/me", in: ["/home/\(ids[0])/a"]).isEmpty)
    }

    @Test("of two folders in each other the inner one decides")
    func nested() {
        let moves = FolderMoves(["outer": ["/b", "/a"], "inner": ["/elsewhere", "/a/inner"]])
        #expect(moves.current("/a/inner/x") == "/elsewhere/x")
        #expect(moves.current("/a/x") == "/b/x")
    }

    @Test("a folder that moved into its own former place keeps its paths")
    func inward() {
        let moves = FolderMoves(["base": ["/data/new", "/data"]])
        #expect(moves.current("/data/x") == "/data/new/x")
        #expect(moves.current("/data/new/x") == "/data/new/x")
    }

    @Test("a transfer's paths move with their folders, and nothing else does")
    func transfer() {
        var options = TransferOptions()
        options.tls.clientCertificatePath = "/groups/1/client.p12"
        options.tls.additionalAuthoritiesPath = "/etc/authorities.pem"
        var download = DownloadConfiguration(url: "https://example.com/groups/1/x", savePath: "/groups/1/x")
        download.options = options
        let moved = download.moved(by: Self.moves)
        #expect(moved.savePath == "/groups/2/x")
        #expect(moved.url == download.url)
        #expect(moved.options.tls.clientCertificatePath == "/groups/2/client.p12")
        #expect(moved.options.tls.additionalAuthoritiesPath == "/etc/authorities.pem")
        #expect(
            UploadConfiguration(url: "https://example.com", filePath: "/groups/1/x").moved(by: Self.moves).filePath
                == "/groups/2/x")
    }
}

/// Where base folders were at earlier launches.
struct BaseFoldersTests {
    private let folder: TemporaryFolder
    private let messages = Recorder<String>()

    init() throws { folder = try TemporaryFolder() }

    private func record(_ folders: [String: String]) throws -> FolderMoves {
        try BaseFolders(directory: folder.path, clock: QuickClock(factor: 1), report: messages.add)
            .record(folders.mapValues { URL(filePath: $0) })
    }

    private var file: String { folder.path + "/" + BaseFolders.fileName }

    @Test("each place is known at later launches, also when a folder comes back")
    func launches() throws {
        #expect(try record(["app": "/a/"]).isEmpty)
        #expect(try record(["app": "/b", "group": "/g"]).current("/a/x") == "/b/x")
        #expect(try record(["app": "/c"]).current("/a/x") == "/c/x")
        let back = try record(["app": "/a", "group": "/h"])
        #expect(["/a/x", "/b/x", "/c/x", "/g/x"].map { back.current($0) } == ["/a/x", "/a/x", "/a/x", "/h/x"])
    }

    @Test("a launch that finds its folders in their places writes nothing; without folders there is no file")
    func unchanged() throws {
        #expect(try record([:]).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: file))
        _ = try record(["app": "/a"])
        let stamp = FileStamp(path: file)
        _ = try record(["app": "/a"])
        #expect(FileStamp(path: file) == stamp)
    }

    @Test("a file that cannot be read is set aside and reported")
    func damaged() throws {
        try Data("{\"app\":".utf8).write(to: URL(filePath: file))
        #expect(try record(["app": "/a"]).isEmpty)
        #expect(messages.values.count == 1)
        #expect(try record(["app": "/b"]).current("/a/x") == "/b/x")
        #expect(messages.values.count == 1)
    }
}
