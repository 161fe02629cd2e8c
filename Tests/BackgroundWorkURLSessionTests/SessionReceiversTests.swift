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
                sessionIdentifier: "s", url: "https://example.com", addressPolicy: .publicInternet, savePath: "/a",
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
        for event in receivers.add(receiver, of: "b") { event(receiver) }
        receivers.hold({ _ in seen.add("at once") }, for: "b")
        #expect(seen.values == ["late file", "late completion", "at once"])
        #expect(receivers.add(receiver, of: "b").isEmpty)
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
}

private final class NamedReceiver: BackgroundSessionReceiver {
    let name: String
    private let replacements = Atomic(0)

    init(_ name: String) { self.name = name }

    var isReplaced: Bool { replacements.load(ordering: .relaxed) > 0 }

    func replaced() { replacements.add(1, ordering: .relaxed) }

    func task(_ task: any BackgroundSessionTask, hasTransferred bytes: Int64, of total: Int64) {}
    func task(_ task: any BackgroundSessionTask, finishedDownloadingTo location: URL) {}
    func task(_ task: any BackgroundSessionTask, received data: Data) {}
    func task(_ task: any BackgroundSessionTask, completedWith error: (any Error)?) {}
    func task(_ task: any BackgroundSessionTask, redirectedTo request: URLRequest) -> URLRequest? { nil }
    func task(
        _ task: any BackgroundSessionTask, received challenge: URLAuthenticationChallenge
    ) -> ChallengeAnswer { .byDefault }
    func finishedEvents(ofSession identifier: String) {}
}
