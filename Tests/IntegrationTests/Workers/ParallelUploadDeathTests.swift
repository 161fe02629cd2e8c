import BackgroundWork
import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// A process that uploads files dies, and the next one sends what is left.
@Suite(.serialized, .fewAtATime)
struct ParallelUploadDeathTests {
    private func input(_ place: Workplace, files: Int, concurrent: Int) throws -> ParallelHttpUploadWorker.Input {
        var input = ParallelHttpUploadWorker.Input(
            url: place.server.url("/in"),
            files: try (0..<files).map { .init(filePath: try place.makeFile("f\($0)", bytes: 5000 + $0)) })
        input.maximumConcurrent = concurrent
        return input
    }

    /// How many times each file has arrived whole and as it is.
    private func arrivals(_ place: Workplace, _ input: ParallelHttpUploadWorker.Input) throws -> [Int] {
        let received = try place.server.uploads(at: "/in").filter(\.isComplete).compactMap { try $0.formParts().first }
        return try input.files.map { file in
            let bytes = try Array(Data(contentsOf: URL(filePath: file.filePath)))
            return received.count { file.filePath.hasSuffix("/\($0.filename ?? "")") && $0.bytes == bytes }
        }
    }

    @Test("killed in the middle, it sends no file again that the server has")
    func middle() async throws {
        let place = try Workplace(acceptingUploadsAt: "/in")
        place.server.setBehaviours([.correct, .correct, .correct, .holdUpload(after: 500)], for: "/in")
        let input = try input(place, files: 8, concurrent: 2)
        let first = try place.startWorkerHost(ParallelHttpUploadWorker.self, input)
        // Three have ended, and each was recorded before the next one began.
        try await place.wait(for: "two that are held") {
            place.server.requests.count(where: \.isOver) == 3
                && place.server.requests.count { $0.receivedBytes >= 500 && !$0.isOver } == 2
        }
        await first.killAndWait()
        #expect(try arrivals(place, input).reduce(0, +) == 3)
        place.server.setBehaviour(.correct, for: "/in")
        let second = try place.startWorkerHost(ParallelHttpUploadWorker.self, input)
        #expect(await second.nextChange() == .exited(0), "\(place.logs)")
        #expect(try arrivals(place, input) == Array(repeating: 1, count: 8), "\(place.logs)")
        let line = place.lines(of: place.hostLog).last ?? ""
        #expect(line.hasPrefix("succeeded: uploaded 8 files"), "\(line)")
        #expect(line.contains(#""uploadedCount":8"#), "\(line)")
    }

    @Test("killed before every single call that it makes durable with, it loses no file, and repeats at most one")
    func everyCall() async throws {
        var number = 0
        while true {
            number += 1
            let place = try Workplace(acceptingUploadsAt: "/in")
            let input = try input(place, files: 3, concurrent: 1)
            let first = try place.startWorkerHost(ParallelHttpUploadWorker.self, input, stoppingAt: .call(number))
            let change = await first.nextChange()
            if change != .stopped {
                #expect(change == .exited(0), "\(place.logs)")
                break
            }
            let stop = place.lines(of: place.killLog).last ?? ""
            await first.killAndWait()
            let second = try place.startWorkerHost(ParallelHttpUploadWorker.self, input)
            #expect(await second.nextChange() == .exited(0), "call \(number): \(stop)\n\(place.logs)")
            let arrivals = try arrivals(place, input)
            // Between the server's answer and its record one file may be sent twice.
            #expect(
                arrivals.allSatisfy { $0 >= 1 } && arrivals.reduce(0, +) <= 4, "call \(number): \(stop) \(arrivals)")
            #expect(place.events.map(\.outcome) == ["succeeded"], "call \(number): \(stop)")
        }
        #expect(number > 5)
    }
}
