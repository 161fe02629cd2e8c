import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// What is left, and what is reported, when a download does not succeed.
@Suite struct DownloadEndsTests {
    @Test("a status is retried or final, and leaves nothing", arguments: [404, 403, 204, 500, 503, 429, 408])
    func statuses(status: Int) async throws {
        let place = try await DownloadPlace()
        place.server.setBehaviour(.status(status), for: "/file")
        let event = try await place.end(of: place.download, attempts: 3)
        #expect(event.outcome == .failed && event.message?.contains("\(status)") == true, "\(event.message ?? "")")
        #expect(place.server.requests.count == ([404, 403, 204].contains(status) ? 1 : 3))
        #expect(place.names.isEmpty)
    }

    @Test("when the last attempt has failed nothing is left", arguments: [true, false])
    func lastAttempt(isParallel: Bool) async throws {
        let place = try await DownloadPlace()
        place.server.setBehaviour(.closeAfter(bytes: 100_000), for: "/file")
        let event =
            isParallel
            ? try await place.end(of: place.parallel, attempts: 2)
            : try await place.end(of: place.download, attempts: 2)
        #expect(event.outcome == .failed && place.names.isEmpty, "\(event.message ?? "")")
    }

    @Test("work that is cancelled while it runs leaves nothing", arguments: [true, false])
    func cancelledRunning(isParallel: Bool) async throws {
        let place = try await DownloadPlace()
        place.server.setBehaviour(.holdAfter(bytes: 300_000), for: "/file")
        let request =
            isParallel
            ? place.request(ParallelHttpDownloadWorker.self, place.parallel)
            : place.request(HttpDownloadWorker.self, place.download)
        _ = try await place.scheduler.enqueue(request, id: "work")
        await place.server.wait { $0.contains { $0.bodyBytes >= 300_000 } }
        _ = try await place.scheduler.cancel(id: "work")
        #expect(try await place.end(of: "work").outcome == .cancelled)
        let isClean = try await comesTrue { place.names.isEmpty && place.records.isEmpty }
        #expect(isClean, "\(place.names)")
    }

    @Test("work that is cancelled while it waits for its next attempt leaves nothing", arguments: [true, false])
    func cancelledWaiting(inNextProcess: Bool) async throws {
        var place = try await DownloadPlace()
        place.server.setBehaviour(.closeAfter(bytes: 700_000), for: "/file")
        let request = TaskRequest(
            HttpDownloadWorker.self, input: place.download, retryPolicy: .linear(initialDelay: .seconds(3600)))
        _ = try await place.scheduler.enqueue(request, id: "work")
        let waits = try await comesTrue {
            let info = try await place.scheduler.info(id: "work")
            return info?.state == .pending && info?.runAttempt == 1
        }
        #expect(waits && place.partials.count == 1 && place.records.count == 1)
        if inNextProcess {
            await place.scheduler.shutdown()
            place = try await DownloadPlace(place.folder, server: place.server)
        }
        _ = try await place.scheduler.cancel(id: "work")
        let (names, records) = (place.saved, place)
        let isClean = try await comesTrue {
            try FileManager.default.contentsOfDirectory(atPath: names).isEmpty && records.records.isEmpty
        }
        #expect(isClean)
    }

    @Test("a partial file that no work needs any more is removed at the next start")
    func removedAtStart() async throws {
        let first = try await DownloadPlace()
        first.server.setBehaviour(.closeAfter(bytes: 700_000), for: "/file")
        let request = TaskRequest(
            HttpDownloadWorker.self, input: first.download, retryPolicy: .linear(initialDelay: .seconds(3600)))
        _ = try await first.scheduler.enqueue(request, id: "work")
        let waits = try await comesTrue {
            let info = try await first.scheduler.info(id: "work")
            return info?.state == .pending && info?.runAttempt == 1
        }
        #expect(waits)
        await first.scheduler.shutdown()
        // As a program without these workers would do.
        let folder = first.folder.path + "/scheduler"
        let scheduler = try WorkScheduler(
            configuration: .init(directory: URL(filePath: folder)), workers: WorkerRegistry())
        _ = try await scheduler.cancel(id: "work")
        await scheduler.shutdown()
        try Data("{".utf8).write(to: URL(filePath: folder + "/partials/torn"))
        let second = try await DownloadPlace(first.folder, server: first.server)
        let isClean = try await comesTrue { second.names.isEmpty && second.records.isEmpty }
        #expect(isClean, "\(second.names) \(second.records)")
    }

    @Test("a message names the URL without its secrets")
    func secrets() async throws {
        let place = try await DownloadPlace()
        place.server.setBehaviour(.status(404), for: "/file")
        var input = place.download
        input.url = place.url.replacing("http://", with: "http://user:password@") + "?token=secret-token-of-mine"
        let event = try await place.end(of: input)
        let message = try #require(event.message)
        #expect(message.contains(place.url) && !message.contains("password") && !message.contains("secret-token"))
    }

    @Test("credentials go to the origin of the URL only")
    func redirect() async throws {
        let place = try await DownloadPlace()
        let other = try LocalHTTPServer()
        defer { other.stop() }
        other.serve(.bytes("there".utf8), at: "/file")
        try other.start()
        place.server.setBehaviour(.redirect(to: other.url("/file")), for: "/file")
        var input = place.download
        input.options.authentication = .bearer(token: "token-of-mine")
        input.options.headers = ["X-Api-Key": "key-of-mine", "X-Other": "plain"]
        #expect(try await place.end(of: input).success)
        #expect(place.content == Array("there".utf8))
        #expect(place.server.requests.first?.header("authorization") == "Bearer token-of-mine")
        let request = try #require(other.requests.first)
        #expect(request.header("authorization") == nil && request.header("x-api-key") == nil)
        #expect(request.header("x-other") == "plain")
    }

    @Test("a rejected token is replaced by a new one, also for parts")
    func tokenRefresh() async throws {
        let place = try await DownloadPlace()
        place.server.require(.bearer(tokens: ["good"]), for: "/file")
        place.server.issueTokens(TokenIssuer(tokens: ["good"]), at: "/token")
        var input = place.parallel
        input.options.authentication = .bearer(token: "old")
        input.options.tokenRefresh = TokenRefresh(url: place.server.url("/token"), tokenPath: "data.access_token")
        let event = try await place.end(of: input)
        #expect(event.success, "\(event.message ?? "")")
        #expect(place.content == DownloadPlace.content && place.server.tokenCalls(at: "/token") == 1)
    }

    @Test("the next step of a chain reads the typed output")
    func chain() async throws {
        struct Count: Worker {
            struct Output: Codable, Sendable { var bytes: Int64, path: String }
            func doWork(_ input: NoInput, context: WorkerContext) async throws -> WorkerResult {
                let file = try await context.output(of: DownloadOutput.self)
                return try .success(output: Output(bytes: file.bytes, path: file.savePath))
            }
        }
        var workers = WorkerRegistry()
        try workers.register(Count.self) { Count() }
        let place = try await DownloadPlace(workers: workers)
        _ = try await place.scheduler.beginWith(place.request(HttpDownloadWorker.self, place.download))
            .then(TaskRequest(Count.self)).enqueue(id: "chain")
        let output = try await place.end(of: "chain/1.0").output(as: Count.Output.self)
        #expect(output?.bytes == Int64(DownloadPlace.content.count) && output?.path == place.target)
    }

    @Test("the progress is that of the whole file")
    func progress() async throws {
        let place = try await DownloadPlace()
        place.server.setBehaviour(.holdAfter(bytes: 750_000), for: "/file")
        let reports = place.scheduler.eventBus.progress
        _ = try await place.scheduler.enqueue(place.request(HttpDownloadWorker.self, place.download), id: "work")
        for await report in reports {
            let fraction = try #require(report.progress.fraction)
            #expect(fraction > 0 && fraction <= 0.5)
            break
        }
        place.server.release("/file")
        #expect(try await place.end(of: "work").success)
    }
}

extension DownloadPlace {
    /// The records of partial files.
    var records: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/scheduler/partials")) ?? []
    }
}
