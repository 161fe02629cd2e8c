import BackgroundWork
import BackgroundWorkFiles
import Foundation
import Testing

@testable import BackgroundWorkBuiltIns

/// Archive workers as steps of chains.
@Suite struct ArchiveChainTests {
    @Test("an archive of one step is extracted by the next, whose path comes from its output")
    func chain() async throws {
        let place = try ArchivePlace()
        try place.add("a/b")
        let scheduler = try place.scheduler()
        let events = scheduler.eventBus.events
        try await scheduler.start()
        let compression = FileCompressionConfiguration(inputPath: place.input, outputPath: place.archive)
        let extraction = try TaskRequest(
            FileExtractionWorker.self, input: FileExtractionConfiguration(outputPath: place.output),
            inputMerge: .overwrite)
        // And what was extracted is compressed again, by the ancestor's name.
        let again = TaskRequest(
            workerClassName: "dev.brewkits.kmpworkmanager.workers.builtins.FileCompressionWorker",
            inputJSON: #"{"outputPath":"\#(place.folder.path)/again.zip"}"#, inputMerge: .overwrite)
        try await scheduler.beginWith(TaskRequest(FileCompressionWorker.self, input: compression)).then(extraction)
            .then(again).enqueue(id: "c")
        for await event in events {
            #expect(event.outcome == .succeeded, "\(event.message ?? "")")
            if event.stepIndex == 2 || event.outcome != .succeeded { break }
        }
        await scheduler.shutdown()
        #expect(try place.tree(place.output + "/in") == place.tree(place.input))
        #expect(FileManager.default.fileExists(atPath: place.folder.path + "/again.zip"))
    }

    @Test("a stop in the middle of a large file returns soon, leaves nothing, and the next run makes the archive")
    func stop() async throws {
        let place = try ArchivePlace()
        let large = open(place.input + "/large", O_WRONLY | O_CREAT, 0o644)
        #expect(ftruncate(large, 3 << 30) == 0)
        close(large)
        let scheduler = try place.scheduler()
        try await scheduler.start()
        var input = FileCompressionConfiguration(inputPath: place.input, outputPath: place.archive)
        input.compressionLevel = .high
        let progress = scheduler.eventBus.progress
        try await scheduler.enqueue(TaskRequest(FileCompressionWorker.self, input: input), id: "large")
        for await report in progress where report.workID == "large" { break }
        let begun = ContinuousClock.now
        try await scheduler.cancel(id: "large")
        await scheduler.waitUntilIdle()
        // Far below the seconds that the rest would take; no figure, since the machine may be busy.
        let rest = begun.duration(to: .now)
        await scheduler.shutdown()
        #expect(!FileManager.default.fileExists(atPath: place.archive), "\(rest)")
        while try !place.temporaries().isEmpty { await Task.yield() }
    }
}
