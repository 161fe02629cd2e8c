import BackgroundWorkSessionTesting
import BackgroundWorkURLSession
import Synchronization
import TestSupport

/// An app's delegate: records what it is told.
final class EventRecorder: BackgroundSessionReceiver {
    enum Event: Sendable, Hashable {
        case downloaded(task: Int, bytes: Int)
        case completed(task: Int, code: Int?)
        case challenged(task: Int)
        case finished
    }

    private struct State {
        var files: [String] = []
        var resumeData: Data?
    }

    private let state = Mutex(State())

    private let recorder = Recorder<Event>()

    var events: [Event] { recorder.values }
    /// Where downloaded files were.
    var files: [String] { state.withLock { $0.files } }
    /// Of the last failure.
    var resumeData: Data? { state.withLock { $0.resumeData } }

    /// Returns when the events satisfy the closure.
    func wait(until isSatisfied: @escaping @Sendable ([Event]) -> Bool) async {
        await recorder.wait(until: isSatisfied)
    }

    private func add(_ event: Event) { recorder.add(event) }

    func task(_ task: any BackgroundSessionTask, finishedDownloadingTo location: URL) {
        let path = location.path(percentEncoded: false)
        state.withLock { $0.files.append(path) }
        add(.downloaded(task: task.taskIdentifier, bytes: FileManager.default.contents(atPath: path)?.count ?? -1))
    }

    func task(_ task: any BackgroundSessionTask, completedWith error: (any Error)?) {
        let error = error.map { $0 as NSError }
        let data = error?.userInfo["NSURLSessionDownloadTaskResumeData"] as? Data
        state.withLock { $0.resumeData = data }
        add(.completed(task: task.taskIdentifier, code: error?.code))
    }

    func task(
        _ task: any BackgroundSessionTask, received challenge: URLAuthenticationChallenge
    ) -> ChallengeAnswer {
        add(.challenged(task: task.taskIdentifier))
        return .use(URLCredential(user: "u", password: "p", persistence: .none))
    }

    func replaced() {}

    func finishedEvents(ofSession identifier: String) { add(.finished) }
    func task(_ task: any BackgroundSessionTask, hasTransferred bytes: Int64, of total: Int64) {}
    func task(_ task: any BackgroundSessionTask, received data: Data) {}
    func task(_ task: any BackgroundSessionTask, redirectedTo request: URLRequest) -> URLRequest? { nil }
}
