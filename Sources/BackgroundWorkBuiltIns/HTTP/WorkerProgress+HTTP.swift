import BackgroundWorkHTTP
import BackgroundWorkModel

extension WorkerProgress {
    /// How far a request is: the request's body and the response's count as one.
    package init(_ progress: HTTPProgress) {
        let total = (progress.toSend ?? 0) + (progress.toReceive ?? 0)
        let isKnown = total > 0 && (progress.toReceive != nil || progress.received == 0)
        self.init(
            fraction: isKnown ? Double(progress.sent + progress.received) / Double(total) : nil,
            message: "\(progress.sent) bytes sent, \(progress.received) bytes received")
    }
}
