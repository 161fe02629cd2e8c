import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Requests on typed inputs.
struct WorkerInputTests {
    struct Speed: Worker {
        struct Input: Codable, Sendable { var limits: [String: Double] }
        func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult { .success() }
    }

    struct Stubborn: Worker {
        struct Input: Codable, Sendable {
            struct Refusal: Error, CustomStringConvertible { var description: String { "it will not" } }
            init() {}
            init(from decoder: any Decoder) throws {}
            func encode(to encoder: any Encoder) throws { throw Refusal() }
        }
        func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult { .success() }
    }

    /// One of a user's own, whose input writes itself.
    struct Plain: Worker {
        struct Input: WorkerInput {
            var number: Int
            var inputJSON: String { #"{"number":\#(number)}"# }
        }
        func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
            .success(message: "\(input.number)")
        }
    }

    struct Text: Worker {
        func doWork(_ input: String, context: WorkerContext) async throws -> WorkerResult { .success(message: input) }
    }

    private var film: DownloadConfiguration {
        var film = DownloadConfiguration(url: "https://example.com/film", savePath: "/f")
        film.options.headers = ["X-A": "b"]
        return film
    }

    @Test("requests for the built-in workers are created without try, with everything that a request has")
    func builtIn() throws {
        let deadline = Date(timeIntervalSince1970: 1_900_000_000)
        let download = TaskRequest(
            BackgroundDownloadWorker.self, input: film, constraints: .network, priority: .high, retryPolicy: .never,
            isIdempotent: false, tags: ["t"], queue: "q", metadata: ["m": "n"], delay: .seconds(1),
            timeout: .seconds(2), deadline: deadline, inputMerge: .overwrite, continuation: .afterHandOff)
        #expect(
            download
                == TaskRequest(
                    workerClassName: "BackgroundDownloadWorker", inputJSON: film.inputJSON, constraints: .network,
                    priority: .high, retryPolicy: .never, isIdempotent: false, tags: ["t"], queue: "q",
                    metadata: ["m": "n"], delay: .seconds(1), timeout: .seconds(2), deadline: deadline,
                    inputMerge: .overwrite, continuation: .afterHandOff))
        let upload = UploadConfiguration(url: "https://example.com/", filePath: "/f")
        #expect(
            TaskRequest(BackgroundUploadWorker.self, input: upload)
                == TaskRequest(workerClassName: "BackgroundUploadWorker", inputJSON: upload.inputJSON))
        let qualified = "dev.brewkits.kmpworkmanager.workers.builtins.IosBackgroundDownloadWorker"
        #expect(BackgroundDownloadWorker.aliases == ["IosBackgroundDownloadWorker", qualified])
        #expect(WorkerRegistry().names.contains(BackgroundUploadWorker.name))
    }

    @Test("equal inputs give equal texts")
    func order() throws {
        let names = (0..<40).map { "k\($0)" }
        var (one, other): ([String: Double], [String: Double]) = ([:], [:])
        for name in names { one[name] = 1 }
        for name in names.reversed() { other[name] = 1 }
        #expect(
            try TaskRequest(Speed.self, input: .init(limits: one))
                == TaskRequest(Speed.self, input: .init(limits: other)))
    }

    @Test("an input that cannot be written as JSON is an error that names the worker, the field and the reason")
    func notEncodable() {
        let error = #expect(throws: EnqueueError.self) {
            try TaskRequest(Speed.self, input: .init(limits: ["down": .infinity]))
        }
        guard case .inputNotEncodable("Speed", let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasPrefix("\"limits.down\": "), "\(reason)")
        #expect(error?.description.contains("Speed cannot be written as JSON") == true)
        #expect(error?.localizedDescription == error?.description)
        #expect(throws: EnqueueError.inputNotEncodable(workerClassName: "Stubborn", reason: "it will not")) {
            try TaskRequest(Stubborn.self, input: .init())
        }
    }

    @Test("inputs that write themselves, and inputs that are no objects, come to their workers")
    func others() async throws {
        var fixture = try SchedulerFixture()
        try fixture.workers.register(Plain.self) { Plain() }
        try fixture.workers.register(Text.self) { Text() }
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(TaskRequest(Plain.self, input: .init(number: 5)), id: "plain")
        try await scheduler.enqueue(TaskRequest(Text.self, input: "a \"text\""), id: "text")
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "plain")?.message == "5")
        #expect(try await scheduler.info(id: "text")?.message == "a \"text\"")
        await scheduler.shutdown()
    }

    @Test("a chain of typed requests: the daemon gets what the configurations say, and a step finds both outputs")
    func chain() async throws {
        struct Compare: Worker {
            func doWork(_ input: NoInput, context: WorkerContext) async throws -> WorkerResult {
                let sent = try await context.output(of: UploadOutput.self)
                let fetched = try await context.output(of: DownloadOutput.self)
                return .success(
                    message: "\(fetched.bytes) fetched to \(fetched.savePath), \(sent.bytes) sent, \(sent.statusCode)")
            }
        }
        let daemon = try ScriptedTransferService { transfer in
            transfer.isUpload ? .uploaded(statusCode: 201) : .downloaded([1, 2, 3])
        }
        var fixture = try SchedulerFixture()
        try fixture.workers.register(Compare.self) { Compare() }
        let scheduler = try fixture.open { $0.scriptedTransfers = daemon }
        let events = scheduler.eventBus.events
        try await scheduler.start()
        var download = film
        download.savePath = fixture.folder.path + "/film"
        var upload = UploadConfiguration(url: "https://example.com/photos", filePath: fixture.folder.path + "/photo")
        upload.options.bytesPerSecond = 7
        try Data("photo".utf8).write(to: URL(filePath: upload.filePath))
        try await scheduler.beginWith(TaskRequest(BackgroundDownloadWorker.self, input: download))
            .then([TaskRequest(BackgroundUploadWorker.self, input: upload)])
            .then(TaskRequest(Compare.self))
            .enqueue(id: "c")
        let ends = await SchedulerFixture.take(3, from: events)
        #expect(ends.map(\.outcome) == [.succeeded, .succeeded, .succeeded], "\(ends.map(\.message))")
        #expect(ends[2].message == "3 fetched to \(download.savePath), 5 sent, 201")
        #expect(try ends[0].output(as: DownloadOutput.self)?.savePath == download.savePath)
        #expect(try await scheduler.info(id: "c/1.0")?.output(as: UploadOutput.self)?.filePath == upload.filePath)
        #expect(try ends[2].output(as: DownloadOutput.self) == nil)
        #expect(throws: WorkerOutputError.self) { try ends[0].output(as: UploadOutput.self) }
        await scheduler.shutdown()
    }

    @Test("the options of a typed request are those that the daemon is asked for")
    func options() async throws {
        let seen = Recorder<ScriptedTransfer>()
        let daemon = try ScriptedTransferService { transfer in
            seen.add(transfer)
            return .failed(message: "enough")
        }
        let fixture = try SchedulerFixture()
        let scheduler = try fixture.open { $0.scriptedTransfers = daemon }
        let events = scheduler.eventBus.events
        try await scheduler.start()
        var download = film
        download.savePath = fixture.folder.path + "/film"
        download.sessionIdentifier = "films"
        download.options.proxy = .direct
        download.options.retry = .linear(initialDelay: .seconds(2), maximumAttempts: 3, jitter: 0.25)
        try await scheduler.enqueue(TaskRequest(BackgroundDownloadWorker.self, input: download))
        _ = await SchedulerFixture.take(1, from: events)
        let transfer = try #require(seen.values.first)
        #expect(transfer.options == download.options)
        #expect(transfer.url == download.url && transfer.path == download.savePath)
        #expect(transfer.sessionIdentifier == "films")
        await scheduler.shutdown()
    }

    @Test("an input that breaks a rule is refused, as JSON text is")
    func refused() async throws {
        let fixture = try SchedulerFixture()
        let scheduler = try fixture.open { $0.scriptedTransfers = try? ScriptedTransferService() }
        var download = film
        download.options.retry.jitter = .nan
        let jitter = try await scheduler.enqueue(TaskRequest(BackgroundDownloadWorker.self, input: download), id: "j")
        download = film
        download.options.proxy = .url("direct")
        let proxy = try await scheduler.enqueue(TaskRequest(BackgroundDownloadWorker.self, input: download), id: "p")
        for (answer, field) in [(jitter, "\"retry.jitter\""), (proxy, "\"proxy\"")] {
            guard case .rejectedBySystem(let reason) = answer else {
                Issue.record("\(answer)")
                continue
            }
            #expect(reason.contains(field), "\(reason)")
        }
        #expect(try await scheduler.infos(matching: WorkQuery()).isEmpty)
        await scheduler.shutdown()
    }
}
