import BackgroundWorkSystem
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkAgent

@Suite("A log that is kept small")
struct RotatingLogTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/agent.log" }

    init() throws { folder = try TemporaryFolder() }

    private func opened(_ path: String) -> Int32 { open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }

    private func write(_ text: String, to log: RotatingLog) {
        Array(text.utf8).withUnsafeBytes { log.write($0) }
    }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test("at its limit it replaces the previous log, and its descriptor continues in a new file")
    func setAside() throws {
        let descriptor = opened(path)
        defer { close(descriptor) }
        let log = try #require(RotatingLog(path: path, descriptor: descriptor, limit: 10))
        write("1234\n", to: log)
        write("5678\n", to: log)
        #expect(text(path) == "1234\n5678\n", "the limit itself may be reached")
        #expect(folder.names == ["agent.log"])
        write("a\n", to: log)
        #expect(text(path) == "a\n")
        #expect(text(log.olderPath) == "1234\n5678\n")
        write("bcdefghij\n", to: log)
        #expect(text(path) == "bcdefghij\n")
        #expect(text(log.olderPath) == "a\n")
        #expect(folder.names == ["agent.log", "agent.log.1"])
    }

    @Test("existing contents count, and a line longer than the limit is still written")
    func counted() throws {
        try Data("12345678".utf8).write(to: URL(filePath: path))
        let descriptor = opened(path)
        defer { close(descriptor) }
        let log = try #require(RotatingLog(path: path, descriptor: descriptor, limit: 10))
        write("abc", to: log)
        #expect(text(log.olderPath) == "12345678")
        let long = String(repeating: "x", count: 100)
        write(long, to: log)
        #expect(text(log.olderPath) == "abc")
        #expect(text(path) == long)
    }

    @Test("lines of many threads are all there, each in one piece, in the last two files")
    func manyThreads() async throws {
        let descriptor = opened(path)
        defer { close(descriptor) }
        let log = try #require(RotatingLog(path: path, descriptor: descriptor, limit: 6 * 500))
        await withTaskGroup { group in
            for writer in 0..<8 {
                group.addTask { for line in 0..<100 { write("\(writer)-\(100 + line)\n", to: log) } }
            }
        }
        let older = try #require(text(log.olderPath)).split(separator: "\n")
        let lines = older + (try #require(text(path))).split(separator: "\n")
        #expect(older.count == 500)
        #expect(Set(lines) == Set((0..<8).flatMap { writer in (0..<100).map { "\(writer)-\(100 + $0)" } }))
        #expect(lines.count == 800)
    }

    @Test("a descriptor to a log that another process has renamed is switched to the current log")
    func setAsideByAnother() throws {
        let descriptor = opened(path)
        defer { close(descriptor) }
        rename(path, path + ".1")
        try Data("new\n".utf8).write(to: URL(filePath: path))
        let log = try #require(RotatingLog(path: path, descriptor: descriptor, limit: 100))
        write("line\n", to: log)
        #expect(text(path) == "new\nline\n")
        #expect(text(log.olderPath)?.isEmpty == true)
    }

    @Test("a descriptor to another file is not changed, also through a link")
    func elsewhere() throws {
        let other = opened(folder.path + "/other")
        defer { close(other) }
        #expect(RotatingLog(path: path, descriptor: other, limit: 10) == nil)
        try Data().write(to: URL(filePath: path))
        #expect(RotatingLog(path: path, descriptor: other, limit: 10) == nil)
        unlink(path)
        symlink(folder.path + "/other", path)
        #expect(RotatingLog(path: path, descriptor: other, limit: 10) == nil)
    }

    @Test("a removed file is created again at the limit")
    func removed() throws {
        let descriptor = opened(path)
        defer { close(descriptor) }
        let log = try #require(RotatingLog(path: path, descriptor: descriptor, limit: 10))
        write("12345678", to: log)
        unlink(path)
        write("abc", to: log)
        #expect(text(path) == "abc")
        #expect(text(log.olderPath) == nil)
    }

    @Test("if it cannot be renamed it continues, and reports why")
    func cannotBeSetAside() throws {
        let descriptor = opened(path)
        defer { close(descriptor) }
        let log = try #require(RotatingLog(path: path, descriptor: descriptor, limit: 300))
        mkdir(log.olderPath, 0o700)
        defer { rmdir(log.olderPath) }
        let line = String(repeating: "x", count: 299) + "\n"
        write(line, to: log)
        write("next\n", to: log)
        let lines = try #require(text(path)).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1].contains("rename \(path)"))
        #expect(lines[2] == "next")
    }
}
