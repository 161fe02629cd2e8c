import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkAgent

struct StagingSyncTests {
    let folder: TemporaryFolder
    let staging: StagingFolder

    init() throws {
        folder = try TemporaryFolder()
        let paths = AgentPaths(schedulerDirectory: folder.path)
        try FileManager.default.createDirectory(
            atPath: paths.stagingDirectory, withIntermediateDirectories: true)
        staging = StagingFolder(paths: paths)
    }

    /// Files with some bytes in them, and marks beside them.
    func jobs(_ count: Int) throws -> [FilesToSync] {
        try (1...count).map { number in
            let task = Int64(number)
            let file = try StagingFile(path: staging.paths.stagingFile(task: task))
            try Array("some bytes".utf8).withUnsafeBytes { try file.write($0, at: 0) }
            let marks = staging.paths.marksFile(task: task)
            try Data().write(to: URL(filePath: marks))
            return FilesToSync(file: file, syncsFolder: true, marksPath: marks)
        }
    }

    @Test(
        "whichever way files are synced, none fails, and their marks go",
        arguments: [1, 2, 12], [0, 1 << 40, -1] as [Int64])
    func all(count: Int, unwritten: Int64) throws {
        let jobs = try jobs(count)
        let errors = StagingSync(folder: staging) { unwritten < 0 ? nil : unwritten }.synchronize(jobs)
        #expect(errors.count == count)
        #expect(errors.allSatisfy { $0 == nil })
        #expect(try FileManager.default.contentsOfDirectory(atPath: staging.paths.stagingDirectory).count == count)
    }

    @Test("jobs without files cost nothing, and a checkpoint leaves the marks")
    func others() throws {
        var jobs = try jobs(1)
        jobs[0].syncsFolder = false
        let errors = StagingSync(folder: staging).synchronize(jobs + [.none])
        #expect(errors.count == 2 && errors.allSatisfy { $0 == nil })
        #expect(try FileManager.default.contentsOfDirectory(atPath: staging.paths.stagingDirectory).count == 2)
    }

    @Test("a missing folder fails the jobs that need a durable name in it", arguments: [1, 12])
    func gone(count: Int) throws {
        let jobs = try jobs(count)
        try FileManager.default.removeItem(atPath: staging.paths.stagingDirectory)
        let errors = StagingSync(folder: staging).synchronize(jobs)
        #expect(errors.allSatisfy { $0 is SystemCallError })
    }

    @Test("a file knows whether it was made just now")
    func new() throws {
        let path = staging.paths.stagingFile(task: 1)
        #expect(try StagingFile(path: path).isNew)
        #expect(try !StagingFile(path: path).isNew)
    }
}
