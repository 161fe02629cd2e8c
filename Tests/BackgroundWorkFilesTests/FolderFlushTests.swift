import BackgroundWorkFiles
import Foundation
import TestSupport
import Testing

struct FolderFlushTests {
    struct Refused: Error {}

    @Test("a caller that changed the folder before the sync returns after it")
    func value() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        let value = try await FolderFlush().synchronize(folder.path) {
            try Data("x".utf8).write(to: URL(filePath: path))
            return FileIdentity(path: path)
        }
        #expect(value != nil && value == FileIdentity(path: path))
    }

    @Test("the failure of one is not that of the others who share the sync")
    func failures() async throws {
        let folder = try TemporaryFolder()
        let flush = FolderFlush()
        let outcomes = await withTaskGroup(of: Bool?.self) { group in
            for number in 0..<200 {
                group.addTask {
                    do {
                        try await flush.synchronize(folder.path) { if number % 2 == 0 { throw Refused() } }
                        return true
                    } catch {
                        return error is Refused ? false : nil
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == true } == 100)
        #expect(outcomes.count { $0 == false } == 100)
    }

    @Test("a folder that cannot be synced is an error, but only for who has changed it")
    func missing() async throws {
        let flush = FolderFlush()
        let path = try TemporaryFolder().path + "/missing"
        await #expect(throws: FileError.self) { try await flush.synchronize(path) { 1 } }
        #expect(try await flush.synchronize(path, after: { 1 }, if: { _ in false }) == 1)
    }
}
