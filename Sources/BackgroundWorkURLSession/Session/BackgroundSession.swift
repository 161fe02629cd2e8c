/// A URL session with an identifier: Foundation's, or one that a test controls.
///
/// Its tasks are created suspended. Those of a background session belong to the system's daemon: they go on while the
/// process is not running, and are the session's again when a later process creates it under the same identifier.
package protocol BackgroundSession: AnyObject, Sendable {
    /// The tasks that have not completed. Called on any queue.
    func allTasks(_ completion: @escaping @Sendable ([any BackgroundSessionTask]) -> Void)
    func download(_ request: URLRequest) -> any BackgroundSessionTask
    /// Continues a download that has ended. The task is a new one, with another identifier.
    func download(resuming data: Data) -> any BackgroundSessionTask
    func upload(_ request: URLRequest, fromFile file: URL) -> any BackgroundSessionTask
}

/// A task of a ``BackgroundSession``. The names are those of `URLSessionTask`.
package protocol BackgroundSessionTask: AnyObject, Sendable {
    /// Unique in its session only.
    var taskIdentifier: Int { get }
    /// Kept with the task, and so for as long as its session.
    var taskDescription: String? { get set }
    var originalRequest: URLRequest? { get }
    var response: URLResponse? { get }
    var state: URLSessionTask.State { get }
    var earliestBeginDate: Date? { get set }
    var countOfBytesClientExpectsToSend: Int64 { get set }
    var countOfBytesClientExpectsToReceive: Int64 { get set }
    var priority: Float { get set }
    /// A task that was suspended several times runs when it was resumed as often; it is created suspended.
    func resume()
    func suspend()
    func cancel()
    /// Cancels; what a download has received is passed on, if it can be continued.
    func cancel(keepingData completion: @escaping @Sendable (Data?) -> Void)
}

/// Receives what happens to the tasks of a session. Each method is called on the session's queue, one at a time, and
/// may block it.
package protocol BackgroundSessionReceiver: AnyObject, Sendable {
    func task(_ task: any BackgroundSessionTask, hasTransferred bytes: Int64, of total: Int64)
    /// The file is removed as soon as this returns.
    func task(_ task: any BackgroundSessionTask, finishedDownloadingTo location: URL)
    /// A part of the answer to an upload.
    func task(_ task: any BackgroundSessionTask, received data: Data)
    func task(_ task: any BackgroundSessionTask, completedWith error: (any Error)?)
    /// The request to follow a redirect with; `nil` for none: the redirect itself is the response then. Background
    /// sessions do not ask.
    func task(_ task: any BackgroundSessionTask, redirectedTo request: URLRequest) -> URLRequest?
    func task(_ task: any BackgroundSessionTask, received challenge: URLAuthenticationChallenge) -> ChallengeAnswer
    /// Everything that had happened when the session was created again has been reported.
    func finishedEvents(ofSession identifier: String)
    /// Another receiver has taken the place of this one, which begins nothing any more. Called on any queue, and must
    /// not wait for one.
    func replaced()
}

/// What to do about a server's or proxy's challenge.
package enum ChallengeAnswer: Sendable {
    case use(URLCredential)
    /// The system answers as it does without a delegate.
    case byDefault
    /// The connection is not made, and the task fails.
    case refuse
}

/// Creates sessions. One session for each identifier: asked again, it returns the same one. It does not wait for the
/// session's queue, whose events may wait for the caller.
///
/// Several stores of a process may share a session. The events of a task go to the receiver that was given last for the
/// store of its transfer, also when that comes after them; those of tasks without a label to the one that was given last.
package protocol BackgroundSessionProvider: Sendable {
    /// Whether tasks outlive the process. If so, a task that was there before and is not listed may still report its
    /// end soon.
    var outlivesProcess: Bool { get }
    func session(
        _ identifier: String, of store: String, receiver: any BackgroundSessionReceiver
    ) -> any BackgroundSession
}
