import BackgroundWork
import Foundation
import Testing

@testable import BackgroundWorkBuiltIns

/// Several extractions into one folder.
@Suite struct ConcurrentExtractionTests {
    /// Makes archives, each of a folder of its own.
    private func archives(_ count: Int, _ place: ArchivePlace) async throws -> [String] {
        var paths: [String] = []
        for index in 0..<count {
            for file in 0..<20 { try place.add("part\(index)/\(file)") }
            paths.append("\(place.folder.path)/\(index).zip")
            _ = try await place.compress {
                $0.inputPath = "\(place.input)/part\(index)"
                $0.outputPath = paths[index]
            }
        }
        return paths
    }

    @Test("several extractions at the same time make one folder with the content of all")
    func together() async throws {
        let place = try ArchivePlace()
        let paths = try await archives(4, place)
        let scheduler = try place.scheduler()
        let events = scheduler.eventBus.events
        for path in paths {
            let input = FileExtractionConfiguration(inputPath: path, outputPath: place.output)
            try await scheduler.enqueue(TaskRequest(FileExtractionWorker.self, input: input), id: path)
        }
        try await scheduler.start()
        var ended: Set<String> = []
        for await event in events {
            #expect(event.outcome == .succeeded, "\(event.message ?? "")")
            ended.insert(event.workID)
            if ended.count == paths.count { break }
        }
        await scheduler.shutdown()
        #expect(try place.tree(place.output) == place.tree(place.input))
        #expect(try place.temporaries().isEmpty)
    }

    @Test("a folder that appears before a complete extraction has its name is merged with it")
    func appears() async throws {
        let place = try ArchivePlace()
        let path = try #require(try await archives(1, place).first)
        let input = FileExtractionConfiguration(inputPath: path, outputPath: place.output)
        let run = ExtractionRun(input: input, policy: .unrestricted, workID: "a") { _ in }
        let early = try run.make(CancellationFlag())
        try FileManager.default.createDirectory(atPath: place.output, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(filePath: place.output + "/mine"))
        #expect(try run.complete(early) == nil)
        #expect(try place.temporaries().isEmpty)
        let late = try run.make(CancellationFlag())
        #expect(try run.complete(late)?.entries == 21)
        #expect(try place.tree(place.output).count == 22)
    }
}
