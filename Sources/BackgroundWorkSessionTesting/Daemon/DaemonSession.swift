/// A session of the simulated daemon: its tasks, and the events that its app has not handled.
struct DaemonSession {
    var nextTask = 1
    var tasks: [Int: DaemonTask] = [:]
    /// For the next process that creates the session.
    var waiting: [EventMessage] = []
    /// With the connected process.
    var sent: [EventMessage] = []
    /// Of those, what its delegate has received.
    var begun: Set<Int64> = []
    /// The connection of the process that has created the session.
    var connection: Int?
    /// Whether the next process is told of the end of the events even if none waits: an earlier one did not get there.
    var owesEnd = false
    /// Whether its app was launched for the events that wait.
    var isLaunched = false

    var hasRunningTasks: Bool { tasks.values.contains { !$0.isSuspended } }

    /// Whether an event waits for which the app is needed while tasks are running.
    var needsApp: Bool { waiting.contains { if case .challenge = $0.event { true } else { false } } }

    mutating func createTask(_ request: RequestRecord, source: String? = nil) -> Int {
        while tasks[nextTask] != nil { nextTask += 1 }
        tasks[nextTask] = DaemonTask(
            record: TaskRecord(number: nextTask, url: request.url), request: request, source: source)
        nextTask += 1
        return nextTask - 1
    }

    /// Whether an event names the file.
    func needs(_ file: String) -> Bool {
        (waiting + sent).contains { if case .downloaded(file) = $0.event { true } else { false } }
    }
}
