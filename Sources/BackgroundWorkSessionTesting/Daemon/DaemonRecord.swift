import BackgroundWorkFoundation

extension SimulatedURLSessionDaemon {
    /// Something that the daemon has seen or done.
    public struct Record: Sendable, Hashable {
        /// When, on the daemon's clock.
        public let date: Date
        /// What.
        public let event: Event
    }

    /// What the daemon records. Tasks are named by their numbers.
    public enum Event: Sendable, Hashable {
        /// A process has created the session.
        case attached(session: String)
        /// The process that had the session is gone.
        case detached(session: String)
        /// A task was created.
        case created(session: String, task: Int)
        /// A task was resumed by the app.
        case resumed(session: String, task: Int)
        /// A request went to the server.
        case requested(session: String, task: Int)
        /// A task has completed, with the code of its error. The app may not know it yet.
        case completed(session: String, task: Int, errorCode: Int?)
        /// The app's delegate has returned from the completion of a task.
        case reported(session: String, task: Int)
        /// The app was to be launched for the session's events.
        case launched(session: String)
        /// The app's delegate has returned from `urlSessionDidFinishEvents(forBackgroundURLSession:)`.
        case finishedEvents(session: String)
        /// The app has called the completion handler that it was launched with.
        case completionHandlerCalled(session: String)
        /// The user has ended the app from the app switcher.
        case forceQuit
    }

    /// A task that has not completed.
    public struct Task: Sendable, Hashable {
        /// Unique in its session.
        public let number: Int
        /// `taskDescription`.
        public let description: String?
        /// The URL of its request.
        public let url: String
        /// Whether it sends a file.
        public let isUpload: Bool
        /// Whether it waits for the app's `resume`.
        public let isSuspended: Bool
        /// Not before this date.
        public let earliestBeginDate: Date?
        /// From 0 to 1.
        public let priority: Float
        /// Bytes of the body that have been sent.
        public let sentBytes: Int64
        /// Bytes of the file that have been received.
        public let receivedBytes: Int64
    }
}

extension SimulatedURLSessionDaemon.Task {
    init(_ task: DaemonTask) {
        number = task.record.number
        description = task.record.description
        url = task.request.url
        isUpload = !task.isDownload
        isSuspended = task.isSuspended
        earliestBeginDate = task.record.earliestBeginDate
        priority = task.record.priority
        sentBytes = task.sent
        receivedBytes = task.received
    }
}
