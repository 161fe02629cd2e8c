import BackgroundWorkModel
import BackgroundWorkSessionTesting
import BackgroundWorkTesting
import BackgroundWorkTransfers
import TestSupport
import Testing

@testable import BackgroundWorkURLSession

/// A simulated daemon as its apps see it. The app is in the same process here.
@Suite("A simulated daemon of URL sessions")
struct SimulatedDaemonTests {
    static let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) }

    let server: LocalHTTPServer
    let daemon: SimulatedURLSessionDaemon

    init() throws {
        server = try LocalHTTPServer()
        server.serve(.bytes(Self.content), at: "/file")
        try server.start()
        daemon = try SimulatedURLSessionDaemon()
    }

    private var request: URLRequest {
        get throws { URLRequest(url: try #require(URL(string: server.url("/file")))) }
    }

    /// One launch of the app, with a session.
    private func launch() throws -> (SimulatedSessions, any BackgroundSession, EventRecorder) {
        let (sessions, recorder) = (try SimulatedSessions(daemon), EventRecorder())
        return (sessions, sessions.session("s", of: "store", receiver: recorder), recorder)
    }

    private func list(_ session: any BackgroundSession) async -> [Int] {
        await withCheckedContinuation { continuation in
            session.allTasks { continuation.resume(returning: $0.map(\.taskIdentifier)) }
        }
    }

    @Test("a file is there until the delegate has returned")
    func file() async throws {
        let (sessions, session, recorder) = try launch()
        session.download(try request).resume()
        await recorder.wait { $0.contains(.completed(task: 1, code: nil)) }
        #expect(recorder.events.first == .downloaded(task: 1, bytes: Self.content.count))
        await daemon.wait { $0.contains { $0.event == .reported(session: "s", task: 1) } }
        #expect(recorder.files.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
        #expect(await list(session).isEmpty)
        sessions.disconnect()
    }

    @Test("a task begins suspended, and runs when it was resumed as often as it was suspended")
    func suspended() async throws {
        let (sessions, session, recorder) = try launch()
        let task = session.download(try request)
        task.taskDescription = "a label"
        task.suspend()
        task.resume()
        #expect(await list(session) == [1])
        let known = await daemon.tasks(ofSession: "s")
        #expect(known.map(\.description) == ["a label"])
        #expect(known.map(\.isSuspended) == [true])
        #expect(server.requests.isEmpty)
        task.resume()
        await recorder.wait { $0.contains(.completed(task: 1, code: nil)) }
        sessions.disconnect()
    }

    @Test("a download that was cancelled goes on from its resume data, as another task")
    func resumeData() async throws {
        server.setBehaviour(.holdAfter(bytes: 60_000), for: "/file")
        let (sessions, session, recorder) = try launch()
        let task = session.download(try request)
        task.resume()
        #expect(
            try await comesTrue(within: .seconds(240)) {
                await daemon.tasks(ofSession: "s").first?.receivedBytes ?? 0 > 0
            })
        let data = await withCheckedContinuation { continuation in
            task.cancel { continuation.resume(returning: $0) }
        }
        await recorder.wait { $0.contains(.completed(task: 1, code: NSURLErrorCancelled)) }
        server.setBehaviour(.correct, for: "/file")
        session.download(resuming: try #require(data)).resume()
        await recorder.wait { $0.contains(.completed(task: 2, code: nil)) }
        #expect(recorder.events.contains(.downloaded(task: 2, bytes: Self.content.count)))
        #expect(server.requests.last?.range?.start ?? 0 > 0)
        sessions.disconnect()
    }

    @Test(
        "a download whose connection breaks has resume data; one of a server without ranges has none",
        arguments: [true, false])
    func broken(hasRanges: Bool) async throws {
        server.setBehaviour(
            .with {
                $0.closesAfter = 60_000
                if !hasRanges { $0.hiddenHeaders = ["Accept-Ranges"] }
            }, for: "/file")
        let (sessions, session, recorder) = try launch()
        session.download(try request).resume()
        await recorder.wait { !$0.isEmpty }
        #expect(recorder.events == [.completed(task: 1, code: NSURLErrorNetworkConnectionLost)])
        #expect((recorder.resumeData != nil) == hasRanges)
        sessions.disconnect()
    }

    @Test("what ended for a store that the app opens later waits for it, with the file")
    func laterStore() async throws {
        await daemon.setBehavior { $0.holdsTransfers = true }
        let (first, session, _) = try launch()
        let task = session.download(try request)
        let specification = TransferSpecification(
            reference: TransferReference(store: "later", key: TransferKey(workID: "a", generation: 1)),
            sessionIdentifier: "s", url: server.url("/file"), securityPolicy: .unrestricted, savePath: "/a",
            workerName: "W")
        task.taskDescription = try TaskLabel(specification).text()
        task.resume()
        #expect(await list(session) == [1])
        first.disconnect()
        await daemon.setBehavior { $0.holdsTransfers = false }
        await daemon.wait { $0.contains { $0.event == .launched(session: "s") } }
        let (second, _, early) = try launch()
        await early.wait { $0.contains(.finished) }
        let late = EventRecorder()
        _ = second.session("s", of: "later", receiver: late)
        await late.wait { $0.contains(.finished) }
        #expect(
            late.events == [
                .downloaded(task: 1, bytes: Self.content.count), .completed(task: 1, code: nil), .finished,
            ])
        #expect(early.events == [.finished])
        #expect(late.files.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
        second.disconnect()
    }

    @Test("what ends while no app is there waits for the next one, and then the end of the events is told")
    func waiting() async throws {
        await daemon.setBehavior { $0.holdsTransfers = true }
        let (first, session, early) = try launch()
        session.download(try request).resume()
        #expect(await list(session) == [1])
        first.disconnect()
        await daemon.setBehavior { $0.holdsTransfers = false }
        await daemon.wait { $0.contains { $0.event == .launched(session: "s") } }
        let (second, _, recorder) = try launch()
        await recorder.wait { $0.contains(.finished) }
        #expect(
            recorder.events == [
                .downloaded(task: 1, bytes: Self.content.count), .completed(task: 1, code: nil), .finished,
            ])
        #expect(early.events.isEmpty)
        second.completionHandlerCalled("s")
        await daemon.wait { $0.last?.event == .completionHandlerCalled(session: "s") }
        second.disconnect()
    }

    @Test("a file that is sent is found again when the app's container has moved")
    func movedContainer() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/old", withIntermediateDirectories: false)
        try Data(Self.content).write(to: URL(filePath: folder.path + "/old/source"))
        server.acceptUploads(at: "/upload")
        await daemon.setBehavior { $0.holdsTransfers = true }
        let (first, session, _) = try launch()
        var request = URLRequest(url: try #require(URL(string: server.url("/upload"))))
        request.httpMethod = "POST"
        session.upload(request, fromFile: URL(filePath: folder.path + "/old/source")).resume()
        #expect(await list(session) == [1])
        first.disconnect()
        try await daemon.moveContainer(from: folder.path + "/old", to: folder.path + "/new")
        await daemon.setBehavior { $0.holdsTransfers = false }
        await daemon.wait { $0.contains { $0.event == .completed(session: "s", task: 1, errorCode: nil) } }
        #expect(server.uploads(at: "/upload").map(\.bytes) == [Self.content])
    }
}
