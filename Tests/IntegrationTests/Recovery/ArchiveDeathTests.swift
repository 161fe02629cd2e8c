import BackgroundWork
import BackgroundWorkSystem
import Foundation
import TestSupport
import Testing

/// A process with an archive worker is killed before each of its system calls that change files, and the next process
/// finishes the work.
@Suite(.serialized, .fewAtATime, .timeLimit(.minutes(10)))
struct ArchiveDeathTests {
    private struct Place {
        let folder: TemporaryFolder
        var input: String { folder.path + "/in" }
        var archive: String { folder.path + "/out.zip" }
        var output: String { folder.path + "/out" }
        var log: String { folder.path + "/host.log" }
        var calls: String { folder.path + "/calls.log" }

        init() throws {
            folder = try TemporaryFolder()
            for name in ["", "/sub", "/sub/deep"] { mkdir(input + name, 0o755) }
            for (index, name) in ["a", "sub/b", "sub/deep/c", "sub/d"].enumerated() {
                try Data(repeating: UInt8(index + 65), count: 3_000 * index + 10).write(
                    to: URL(filePath: input + "/" + name))
            }
        }

        /// Starts a host and waits until it ends or stops.
        ///
        /// - Parameter once: whether the work does not run again after a death.
        func run(
            _ worker: String, _ json: String, stoppingAt point: KillPoint? = nil, once: Bool = false
        ) async throws -> ChildProcess.Change {
            var environment = ProcessInfo.processInfo.environment
            environment.merge(point?.dying.environment ?? [:]) { $1 }
            environment["LD_PRELOAD"] = PreloadedLibrary.killPoint
            environment["KILLPOINT_LOG"] = calls
            let host = try ChildProcess(
                Programs.host, ["archive", folder.path + "/work", worker, json] + (once ? ["once"] : []),
                environment: environment, log: log)
            return await host.nextChange()
        }

        /// How many calls the process made that the library counts.
        var countedCalls: Int {
            let text = (try? String(contentsOfFile: calls, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").compactMap { Int($0.prefix { $0 != " " }) }.max() ?? 0
        }

        var logs: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

        func contents(of path: String) -> [String: Data] {
            var contents: [String: Data] = [:]
            for name in (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? [] {
                contents[name] = (try? Data(contentsOf: URL(filePath: path + "/" + name))) ?? Data("folder".utf8)
            }
            return contents
        }

        var temporaries: [String] {
            ((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []).filter {
                $0.contains(".bgwork-")
            }
        }
    }

    private func compression(_ place: Place) -> String {
        #"{"inputPath":"\#(place.input)","outputPath":"\#(place.archive)","deleteOriginal":true}"#
    }

    private func extraction(_ place: Place, _ policy: String = "REFUSE") -> String {
        """
        {"inputPath":"\(place.archive)","outputPath":"\(place.output)","deleteOriginal":true,"onDuplicate":"\(policy)"}
        """
    }

    /// Kills a process before each counted call, and runs another to the end.
    private func killEverywhere(
        _ worker: String, prepare: (Place) async throws -> Void, json: (Place) -> String,
        check: (Place, KillPoint) async throws -> Void
    ) async throws {
        let trial = try Place()
        try await prepare(trial)
        unlink(trial.calls)
        #expect(try await trial.run(worker, json(trial)) == .exited(0), "\(trial.logs)")
        let count = trial.countedCalls
        #expect(count > 20)
        for number in 1...count {
            let place = try Place()
            try await prepare(place)
            let point = KillPoint.call(number)
            let change = try await place.run(worker, json(place), stoppingAt: point)
            // Threads of the database may make a call more or less.
            guard change != .exited(0) else { continue }
            #expect(change == .signalled(SIGKILL), "\(point)\n\(place.logs)")
            #expect(try await place.run(worker, json(place)) == .exited(0), "\(point)\n\(place.logs)")
            #expect(place.logs.contains("succeeded"), "\(point)\n\(place.logs)")
            #expect(place.temporaries.isEmpty, "\(point): \(place.temporaries)")
            try await check(place, point)
        }
    }

    @Test("compression with deletion of the originals, killed before each call")
    func compression() async throws {
        let whole = try Place()
        let expected = whole.contents(of: whole.input)
        try await killEverywhere("FileCompressionWorker") { _ in
        } json: {
            compression($0)
        } check: { place, point in
            #expect(!FileManager.default.fileExists(atPath: place.input), "\(point)")
            // All of it is in the archive, also if the originals had been deleted in part.
            let other = try Place()
            try FileManager.default.copyItem(atPath: place.archive, toPath: other.archive)
            #expect(try await other.run("FileExtractionWorker", extraction(other)) == .exited(0))
            #expect(other.contents(of: other.output + "/in") == expected, "\(point)\n\(other.logs)")
        }
    }

    /// Makes the archive that is to be extracted.
    private func prepare(_ place: Place) async throws {
        let other = try Place()
        _ = try await other.run("FileCompressionWorker", compression(other))
        try FileManager.default.copyItem(atPath: other.archive, toPath: place.archive)
    }

    @Test("extraction to a new folder, killed before each call")
    func newFolder() async throws {
        try await killEverywhere("FileExtractionWorker", prepare: prepare) {
            extraction($0)
        } check: { place, point in
            #expect(place.contents(of: place.output + "/in") == place.contents(of: place.input), "\(point)")
            #expect(!FileManager.default.fileExists(atPath: place.archive), "\(point)")
        }
    }

    @Test("extraction to a folder that has some of the files, killed before each call")
    func existingFolder() async throws {
        try await killEverywhere("FileExtractionWorker") { place in
            try await prepare(place)
            for name in ["", "/in", "/in/sub"] { mkdir(place.output + name, 0o755) }
            for name in ["/in/a", "/in/sub/b", "/other"] {
                try Data("old".utf8).write(to: URL(filePath: place.output + name))
            }
        } json: {
            extraction($0, "OVERWRITE")
        } check: { place, point in
            #expect(place.contents(of: place.output + "/in") == place.contents(of: place.input), "\(point)")
            #expect(place.contents(of: place.output)["other"] == Data("old".utf8), "\(point)")
            #expect(!FileManager.default.fileExists(atPath: place.archive), "\(point)")
        }
    }

    /// Kills processes before counted calls, and runs another one that only records that the work has failed.
    private func killForGood(
        _ worker: String, prepare: (Place) async throws -> Void, json: (Place) -> String
    ) async throws {
        let trial = try Place()
        try await prepare(trial)
        unlink(trial.calls)
        #expect(try await trial.run(worker, json(trial), once: true) == .exited(0), "\(trial.logs)")
        var left = 0
        for number in stride(from: 1, through: trial.countedCalls, by: 2) {
            let place = try Place()
            try await prepare(place)
            let point = KillPoint.call(number)
            guard try await place.run(worker, json(place), stoppingAt: point, once: true) != .exited(0) else {
                continue
            }
            if !place.temporaries.isEmpty { left += 1 }
            #expect(try await place.run(worker, json(place), once: true) == .exited(0), "\(point)\n\(place.logs)")
            #expect(place.temporaries.isEmpty, "\(point): \(place.temporaries)\n\(place.logs)")
        }
        #expect(left > 0)
    }

    @Test("work that does not run again after the death of its process leaves no temporary")
    func notAgain() async throws {
        try await killForGood("FileCompressionWorker") { _ in
        } json: {
            compression($0)
        }
        try await killForGood("FileExtractionWorker", prepare: prepare) { extraction($0) }
        try await killForGood("FileExtractionWorker") { place in
            try await prepare(place)
            mkdir(place.output, 0o755)
        } json: {
            extraction($0)
        }
    }
}
