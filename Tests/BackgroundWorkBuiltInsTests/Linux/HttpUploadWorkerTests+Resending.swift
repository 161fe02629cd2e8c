import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkBuiltIns

// URL sessions send a copy of the form, and those of Foundation on Linux cannot send it again.
extension HttpUploadWorkerTests {
    @Test("a form is sent again after a redirect that keeps the method, and after a digest's challenge")
    func again() async throws {
        server.acceptUploads(at: "/there")
        server.setBehaviour(.redirect(to: "/there", status: 307), for: "/in")
        #expect(try await place.run(HttpUploadWorker.self, try input()).isSuccess)
        #expect(try server.uploads(at: "/there").first?.formParts().first?.bytes == WorkerPlace.content(100_000))
        server.setBehaviour(.correct, for: "/in")
        server.require(.digest(user: "me", password: "p"), for: "/in")
        var input = try input()
        input.options.authentication = .digest(user: "me", password: "p")
        #expect(try await place.run(HttpUploadWorker.self, input).isSuccess)
        #expect(try server.uploads(at: "/in").last?.formParts().first?.bytes == WorkerPlace.content(100_000))
    }

    @Test("a file that changes while it is sent is a failure, and the server gets no whole form")
    func changed() async throws {
        let input = try input(bytes: 4_000_000)
        for change in ["append", "overwrite", "truncate"] {
            try Data(WorkerPlace.content(4_000_000)).write(to: URL(filePath: input.filePath))
            server.setBehaviour(.holdUpload(after: 1000), for: "/in")
            let seen = server.requests.count
            let task = Task { try await place.run(HttpUploadWorker.self, input) }
            await server.wait { $0.count > seen && $0[seen].receivedBytes >= 1000 }
            let file = try FileHandle(forUpdating: URL(filePath: input.filePath))
            switch change {
            case "append":
                try file.seekToEnd()
                try file.write(contentsOf: Data("more".utf8))
            case "overwrite":
                try file.seek(toOffset: 10)
                try file.write(contentsOf: Data("other".utf8))
            default: try file.truncate(atOffset: 3_500_000)
            }
            try file.close()
            server.release("/in")
            let result = try await task.value
            let message = result.failureMessage ?? "\(result)"
            #expect(message.contains("\(input.filePath) has "), "\(change): \(message)")
            #expect(message.contains("while it was sent"), "\(change): \(message)")
            #expect(server.uploads(at: "/in").allSatisfy { !$0.isComplete }, "\(change)")
        }
    }
}
