import BackgroundWorkModel
import BackgroundWorkTransfers
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWorkHTTP

@Suite("Bodies that go to files")
struct FileSinkTests {
    @Test("a disk that is slower than the server makes the server wait", arguments: [1000, 16_384, 65_543])
    func slowDisk(pieceBytes: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        let queue = DispatchQueue(label: "slow disk")
        queue.suspend()
        let sink = try FileSink(path: path, url: TransferURL("http://h/"), policy: .publicInternet, queue: queue)
        sink.receive(HTTPResponseHead(status: 200, url: "http://h/"))
        let goesOn = Latch()
        var sent = Data()
        // A body without end, as long as there is room.
        while true {
            let piece = Data((0..<pieceBytes).map { UInt8(truncatingIfNeeded: sent.count &+ $0 &* 3) })
            sent.append(piece)
            let hasRoom = try piece.withUnsafeBytes { try sink.receive($0) { goesOn.open() } }
            guard hasRoom else { break }
            try #require(sent.count < 16 << 20)
        }
        #expect(sent.count < 3 << 20)
        queue.resume()
        await goesOn.wait()
        sink.end(nil)
        #expect(try await sink.response().status == 200)
        #expect(try Data(contentsOf: URL(filePath: path)) == sent)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }
}
