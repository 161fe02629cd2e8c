import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWorkURLSession

/// Events of a session that several stores share.
struct SessionReceiversTests {
    private func label(_ store: String) throws -> String {
        try TaskLabel(
            TransferSpecification(
                reference: TransferReference(store: store, key: TransferKey(workID: "a", generation: 1)),
                sessionIdentifier: "s", url: "https://example.com", securityPolicy: .publicInternet, savePath: "/a",
                workerName: "W")
        ).text()
    }

    private func name(_ route: SessionReceivers.Route) -> String {
        switch route {
        case .receiver(let receiver): (receiver as? NamedReceiver)?.name ?? "?"
        case .later(let store): "later: \(store)"
        case .nobody: "nobody"
        }
    }

    @Test("a task's events go to its store's receiver only; those without a label to the newest")
    func routes() throws {
        let receivers = SessionReceivers(ofSession: "s")
        #expect(name(receivers.route(ofTaskDescribed: nil)) == "nobody")
        receivers.add(NamedReceiver("first"), of: "a")
        receivers.add(NamedReceiver("second"), of: "b")
        #expect(name(receivers.route(ofTaskDescribed: try label("a"))) == "first")
        #expect(name(receivers.route(ofTaskDescribed: try label("b"))) == "second")
        #expect(name(receivers.route(ofTaskDescribed: try label("c"))) == "later: c")
        let entry = TransferEntry(
            sessionIdentifier: "s", taskIdentifier: 1, savePath: "/a", workerName: "W",
            createdAt: WallTime(milliseconds: 0),
            reference: nil)
        let adopted = try label(TaskLabel.adopted(entry, by: "a").store)
        #expect(name(receivers.route(ofTaskDescribed: adopted)) == "first")
        #expect(name(receivers.route(ofTaskDescribed: nil)) == "second")
        #expect(name(receivers.route(ofTaskDescribed: "somebody's")) == "second")
    }

    @Test("what comes before a store's receiver is kept for it, in order")
    func held() throws {
        let receivers = SessionReceivers(ofSession: "s")
        receivers.add(NamedReceiver("other"), of: "a")
        let seen = Recorder<String>()
        for event in ["file", "completion"] {
            receivers.hold({ seen.add("\(($0 as? NamedReceiver)?.name ?? "?") \(event)") }, for: "b")
        }
        let receiver = NamedReceiver("late")
        receivers.add(receiver, of: "b")
        receivers.hold({ _ in seen.add("at once") }, for: "b")
        receivers.add(receiver, of: "b")
        #expect(seen.values == ["late file", "late completion", "at once"])
    }

    @Test("events that wait in the session's queue when a receiver is given come after those that are held for it")
    func order() throws {
        let (receivers, queue, seen) = (SessionReceivers(ofSession: "s"), ManualQueue(), Recorder<String>())
        let task = ScriptedTask(1, .data(Data()))
        task.taskDescription = try label("b")
        func happen(_ event: String) {
            queue.add { receivers.pass(task) { seen.add("\(($0 as? NamedReceiver)?.name ?? "?") \(event)") } }
        }
        happen("first")
        queue.run()
        happen("second")
        let receiver = NamedReceiver("b")
        receivers.add(receiver, of: "b", by: queue.add)
        happen("third")
        #expect(seen.values.isEmpty)
        queue.run()
        #expect(seen.values == ["b first", "b second", "b third"])
        receivers.told()
        #expect(receiver.isTold)
    }

    @Test("a receiver that comes after everything was told is told so, after what was held for it")
    func toldBefore() throws {
        let (receivers, queue) = (SessionReceivers(ofSession: "s"), ManualQueue())
        let wasTold = Recorder<Bool?>()
        receivers.hold({ wasTold.add(($0 as? NamedReceiver)?.isTold) }, for: "a")
        let receiver = NamedReceiver("a")
        receivers.add(receiver, of: "a", by: queue.add)
        receivers.told()
        #expect(!receiver.isTold)
        queue.run()
        #expect(wasTold.values == [false])
        #expect(receiver.isTold)
    }

    @Test("a receiver that is replaced before the session's queue has come to it gets nothing")
    func replacedAtOnce() throws {
        let (receivers, queue, seen) = (SessionReceivers(ofSession: "s"), ManualQueue(), Recorder<String>())
        let (first, second, third) = (NamedReceiver("1"), NamedReceiver("2"), NamedReceiver("3"))
        receivers.add(first, of: "a")
        receivers.add(second, of: "a", by: queue.add)
        // Neither the one that is over, nor, for a task without a label, another store's.
        #expect(name(receivers.route(ofTaskDescribed: try label("a"))) == "later: a")
        #expect(name(receivers.route(ofTaskDescribed: nil)) == "later: a")
        receivers.add(third, of: "a", by: queue.add)
        #expect([first, second, third].map(\.isReplaced) == [true, true, false])
        receivers.hold({ seen.add(($0 as? NamedReceiver)?.name ?? "?") }, for: "a")
        queue.run()
        #expect(seen.values == ["3"])
        #expect(name(receivers.route(ofTaskDescribed: nil)) == "3")
    }

    @Test("a receiver that another one of its store replaces is told so, and no other")
    func replaced() {
        let receivers = SessionReceivers(ofSession: "s")
        let (first, second, other) = (NamedReceiver("1"), NamedReceiver("2"), NamedReceiver("3"))
        receivers.add(first, of: "a")
        receivers.add(other, of: "b")
        receivers.add(second, of: "a")
        receivers.add(second, of: "a")
        #expect([first, second, other].map(\.isReplaced) == [true, false, false])
    }

    @Test("a session is given at once while its queue waits for a receiver", .timeLimit(.minutes(5)))
    func busyQueue() async throws {
        let provider = URLSessionProvider(outlivesProcess: false) { _ in .ephemeral }
        let (entered, left) = (Recorder<Int>(), DispatchSemaphore(value: 0))
        let first = NamedReceiver("a") { task in
            entered.add(task)
            left.wait()
        }
        let session = provider.session("s", of: "a", receiver: first)
        // Nobody listens there.
        let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
        let task = session.download(request)
        task.taskDescription = try label("a")
        task.resume()
        await entered.wait { $0.count == 1 }
        let completed = Recorder<Int>()
        let second = NamedReceiver("b", completed: completed.add)
        #expect(provider.session("s", of: "b", receiver: second) === session)
        let next = session.download(request)
        next.taskDescription = try label("b")
        next.resume()
        #expect(completed.values.isEmpty)
        left.signal()
        await completed.wait { $0 == [next.taskIdentifier] }
    }

    @Test("a service that is replaced is not waited for, and neither are its events", .timeLimit(.minutes(5)))
    func busyService() async throws {
        let stage = try SessionStage()
        let service = stage.service()
        let task = try await stage.begin(stage.download("a"), with: service)
        let isOver = DispatchSemaphore(value: 0)
        service.executor.queue.async { isOver.wait() }
        // On a thread of their own, as what replaces it and its session have one.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                service.replaced()
                stage.scripted.complete(task, URLError(.networkConnectionLost))
                continuation.resume()
            }
        }
        isOver.signal()
        #expect(try await service.transfers().map(\.state) == [.active])
    }
}

extension SessionReceivers {
    /// For a session whose queue has nothing to do.
    fileprivate func add(_ receiver: any BackgroundSessionReceiver, of store: String) {
        add(receiver, of: store) { $0() }
    }
}

/// A session's queue that runs when the test says so.
private final class ManualQueue: Sendable {
    private let operations = Mutex<[@Sendable () -> Void]>([])

    func add(_ operation: @escaping @Sendable () -> Void) { operations.withLock { $0.append(operation) } }

    func run() {
        let waiting = operations.withLock { operations in
            defer { operations = [] }
            return operations
        }
        for operation in waiting { operation() }
    }
}

private final class NamedReceiver: BackgroundSessionReceiver {
    let name: String
    private let completed: @Sendable (_ task: Int) -> Void
    private let replacements = Atomic(0)
    private let tellings = Atomic(0)

    init(_ name: String, completed: @escaping @Sendable (_ task: Int) -> Void = { _ in }) {
        self.name = name
        self.completed = completed
    }

    var isReplaced: Bool { replacements.load(ordering: .relaxed) > 0 }
    /// That all events have been told.
    var isTold: Bool { tellings.load(ordering: .relaxed) > 0 }

    func replaced() { replacements.add(1, ordering: .relaxed) }

    func task(_ task: any BackgroundSessionTask, hasTransferred bytes: Int64, of total: Int64) {}
    func task(_ task: any BackgroundSessionTask, finishedDownloadingTo location: URL) {}
    func task(_ task: any BackgroundSessionTask, received data: Data) {}
    func task(_ task: any BackgroundSessionTask, completedWith error: (any Error)?) { completed(task.taskIdentifier) }
    func task(_ task: any BackgroundSessionTask, redirectedTo request: URLRequest) -> URLRequest? { nil }
    func task(
        _ task: any BackgroundSessionTask, received challenge: URLAuthenticationChallenge
    ) -> ChallengeAnswer { .byDefault }
    func finishedEvents(ofSession identifier: String) { tellings.add(1, ordering: .relaxed) }
}
