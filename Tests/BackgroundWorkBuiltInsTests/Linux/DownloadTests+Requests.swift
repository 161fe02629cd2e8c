import BackgroundWork
import BackgroundWorkTesting
import Testing

@testable import BackgroundWorkBuiltIns

// What URL sessions do otherwise: they ask for what they can decompress, and have no limit of speed.
extension HttpDownloadTests {
    @Test("no compression is asked for")
    func coding() async throws {
        let place = try await DownloadPlace()
        #expect(try await place.end(of: place.download).success)
        #expect(place.server.requests.first?.header("accept-encoding") == "identity")
    }
}

extension ParallelHttpDownloadTests {
    @Test("a limit of speed is divided among the parts")
    func speed() async throws {
        let place = try await DownloadPlace()
        var input = place.parallel
        input.options.bytesPerSecond = 40_000_000
        #expect(try await place.end(of: input).success)
        #expect(place.content == DownloadPlace.content)
        #expect(ranges(place).compactMap { $0?.lowerBound } == [0, 375_000, 750_000, 1_125_000])
    }

    @Test("with a limit of speed the output has the first answer's head too, and counts all requests")
    func limited() async throws {
        let place = try await DownloadPlace()
        var input = place.parallel
        input.options.bytesPerSecond = 100_000_000
        let output = try #require(try await place.end(of: input).output(as: DownloadOutput.self))
        #expect(place.server.requests.map(\.status).sorted() == [200, 206, 206, 206, 206])
        #expect(output.statusCode == 200 && output.requests == 5 && output.headers?["content-length"] != "375000")
        #expect(place.content == DownloadPlace.content)
    }
}
