import BackgroundWorkFiles
import BackgroundWorkURLSession

/// What apps ask.
extension SimulatedURLSessionDaemon {
    func received(_ message: AppMessage, from connection: Int) {
        guard let reply = answer(message.request, from: connection), message.id > 0 else { return }
        sockets.send(.reply(id: message.id, reply: reply), to: connection)
    }

    private func answer(_ request: AppRequest, from connection: Int) -> DaemonReply? {
        switch request {
        case .attach(let session): attach(session, to: connection)
        case .allTasks(let session):
            return .tasks(sessions[session]?.tasks.values.map(\.record).sorted { $0.number < $1.number } ?? [])
        case .create(let session, let origin): return .tasks([create(origin, in: session)])
        case .change(let session, let task, let change):
            sessions[session]?.tasks[task]?.record.apply(change)
            if case .earliestBeginDate = change { startIfDue(task, in: session) }
        case .resume(let session, let task): resume(task, in: session)
        case .suspend(let session, let task): suspend(task, in: session)
        case .cancel(let session, let task, let keepingData):
            return .data(cancel(task, in: session, keepingData: keepingData))
        case .began(let session, let event): sessions[session]?.begun.insert(event)
        case .handled(let session, let event): handled(event, in: session, by: connection)
        case .answer(_, let event, let user, let password): answerChallenge(event, user, password)
        case .completionHandlerCalled(let session): record(.completionHandlerCalled(session: session))
        }
        return nil
    }

    private func create(_ origin: TaskOrigin, in session: String) -> TaskRecord {
        var state = sessions[session] ?? DaemonSession()
        let number: Int
        switch origin {
        case .download(let request): number = state.createTask(request)
        case .upload(let request, let file): number = state.createTask(request, source: file)
        case .resumed(let data):
            let resumed = try? JSONDecoder().decode(ResumeRecord.self, from: data)
            number = state.createTask(resumed?.request ?? RequestRecord(url: ""))
            // From the start if what was received is no longer there.
            if let resumed, let size = FileIdentity(path: resumed.file)?.bytes {
                state.tasks[number]?.file = resumed.file
                state.tasks[number]?.received = size
                state.tasks[number]?.validator = resumed.validator
            }
        }
        sessions[session] = state
        record(.created(session: session, task: number))
        return state.tasks[number]?.record ?? TaskRecord(number: number)
    }

    private func resume(_ number: Int, in session: String) {
        guard var task = sessions[session]?.tasks[number] else { return }
        task.suspensions = max(0, task.suspensions - 1)
        if !task.isSuspended { task.record.state = URLSessionTask.State.running.rawValue }
        sessions[session]?.tasks[number] = task
        record(.resumed(session: session, task: number))
        startIfDue(number, in: session)
    }

    private func suspend(_ number: Int, in session: String) {
        sessions[session]?.tasks[number]?.suspensions += 1
        sessions[session]?.tasks[number]?.record.state = URLSessionTask.State.suspended.rawValue
        halt(number, in: session)
    }

    private func cancel(_ number: Int, in session: String, keepingData: Bool) -> Data? {
        halt(number, in: session)
        var error = ErrorRecord(code: NSURLErrorCancelled, text: "cancelled")
        if keepingData { error.resumeData = resumeData(of: number, in: session) }
        complete(number, in: session, error)
        return error.resumeData
    }

    /// What a download has received, for another task to go on with.
    func resumeData(of number: Int, in session: String) -> Data? {
        guard let task = sessions[session]?.tasks[number], let file = task.file, let known = task.continuation else {
            return nil
        }
        sessions[session]?.tasks[number]?.file = nil
        return try? JSONEncoder().encode(
            ResumeRecord(request: task.request, file: file, validator: known.validator))
    }

    private func answerChallenge(_ event: Int64, _ user: String?, _ password: String?) {
        guard let answer = challenges.removeValue(forKey: event) else { return }
        if let user, let password {
            answer(.useCredential, URLCredential(user: user, password: password, persistence: .none))
        } else {
            answer(.performDefaultHandling, nil)
        }
    }
}

extension TaskRecord {
    fileprivate mutating func apply(_ change: TaskChange) {
        switch change {
        case .description(let value): description = value
        case .earliestBeginDate(let value): earliestBeginDate = value
        case .bytesToSend(let value): bytesToSend = value
        case .bytesToReceive(let value): bytesToReceive = value
        case .priority(let value): priority = value
        }
    }
}
