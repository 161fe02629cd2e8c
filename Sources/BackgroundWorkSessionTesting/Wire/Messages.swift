import BackgroundWorkURLSession

/// From an app to the daemon.
struct AppMessage: Codable, Sendable {
    /// Repeated in the answer; 0 if none is wanted.
    var id: Int64
    var request: AppRequest
}

enum AppRequest: Codable, Sendable {
    /// The app has created the session: its events come to this connection from now on.
    case attach(session: String)
    case allTasks(session: String)
    case create(session: String, origin: TaskOrigin)
    case change(session: String, task: Int, change: TaskChange)
    case resume(session: String, task: Int)
    case suspend(session: String, task: Int)
    case cancel(session: String, task: Int, keepingData: Bool)
    /// The app's delegate is about to receive an event.
    case began(session: String, event: Int64)
    /// The app's delegate has returned from an event.
    case handled(session: String, event: Int64)
    /// What the app's delegate says to a challenge; without a user the system answers as without a delegate.
    case answer(session: String, event: Int64, user: String?, password: String?)
    case completionHandlerCalled(session: String)
}

/// What a task is created from.
enum TaskOrigin: Codable, Sendable {
    case download(RequestRecord)
    case resumed(Data)
    case upload(RequestRecord, file: String)
}

enum TaskChange: Codable, Sendable {
    case description(String?)
    case earliestBeginDate(Date?)
    case bytesToSend(Int64)
    case bytesToReceive(Int64)
    case priority(Float)
}

/// From the daemon to an app.
enum DaemonMessage: Codable, Sendable {
    case reply(id: Int64, reply: DaemonReply)
    case event(EventMessage)
}

enum DaemonReply: Codable, Sendable {
    case tasks([TaskRecord])
    case data(Data?)
}

struct EventMessage: Codable, Sendable {
    var number: Int64
    var session: String
    /// `nil` for an event of the session itself.
    var task: TaskRecord?
    var event: SessionEvent
}

/// A call of the app's delegate.
enum SessionEvent: Codable, Sendable {
    case progress(bytes: Int64, total: Int64)
    case downloaded(file: String)
    case received(Data)
    case completed(ErrorRecord?)
    case challenge(ProtectionSpaceRecord, failures: Int)
    case finishedEvents
}
