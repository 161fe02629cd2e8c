import BackgroundWorkURLSession

/// The events of the sessions, and the processes that get them.
extension SimulatedURLSessionDaemon {
    /// A process has created a session. It gets what waits.
    func attach(_ session: String, to connection: Int) {
        var state = sessions[session] ?? DaemonSession()
        if let before = state.connection, before != connection { detach(&state) }
        state.connection = connection
        state.isLaunched = false
        isForceQuit = false
        let waiting = arranged(state.waiting)
        state.waiting = []
        let owesEnd = !waiting.isEmpty || state.owesEnd
        state.owesEnd = false
        sessions[session] = state
        record(.attached(session: session))
        for message in waiting { pass(message, to: connection) }
        if owesEnd { pass(message(.finishedEvents, of: nil, in: session), to: connection) }
    }

    func send(_ event: SessionEvent, of task: DaemonTask?, in session: String) {
        let message = message(event, of: task, in: session)
        if let connection = sessions[session]?.connection { return pass(message, to: connection) }
        sessions[session]?.waiting.append(message)
    }

    private func message(_ event: SessionEvent, of task: DaemonTask?, in session: String) -> EventMessage {
        defer { nextEvent += 1 }
        return EventMessage(number: nextEvent, session: session, task: task?.record, event: event)
    }

    private func pass(_ message: EventMessage, to connection: Int) {
        sessions[message.session]?.sent.append(message)
        sockets.send(.event(message), to: connection)
    }

    /// Tells a connected app how far a task is, unless it still handles an earlier report. Others are told nothing.
    func report(_ task: DaemonTask, in session: String) {
        let number = task.record.number
        guard sessions[session]?.connection != nil else { return }
        guard !task.isReported else {
            sessions[session]?.tasks[number]?.hasUnreported = true
            return
        }
        sessions[session]?.tasks[number]?.isReported = true
        sessions[session]?.tasks[number]?.hasUnreported = false
        let bytes = task.isDownload ? task.received : task.sent
        send(.progress(bytes: bytes, total: task.total), of: task, in: session)
    }

    /// The delegate of the app has returned from an event.
    func handled(_ number: Int64, in session: String, by connection: Int) {
        guard sessions[session]?.connection == connection,
            let index = sessions[session]?.sent.firstIndex(where: { $0.number == number }),
            let message = sessions[session]?.sent.remove(at: index)
        else { return }
        // The last delivery of several.
        if sessions[session]?.sent.contains(where: { $0.number == number }) == false {
            sessions[session]?.begun.remove(number)
        }
        let task = message.task?.number ?? 0
        switch message.event {
        case .progress:
            guard let current = sessions[session]?.tasks[task] else { return }
            sessions[session]?.tasks[task]?.isReported = false
            if current.hasUnreported, let current = sessions[session]?.tasks[task] { report(current, in: session) }
        case .downloaded(let file): discard(file, of: session)
        case .completed: record(.reported(session: session, task: task))
        case .finishedEvents: record(.finishedEvents(session: session))
        case .received, .challenge: break
        }
    }

    private func discard(_ file: String, of session: String) {
        if sessions[session]?.needs(file) == false { try? FileManager.default.removeItem(atPath: file) }
    }

    // MARK: - Processes that end

    func disconnected(_ connection: Int) {
        for (session, var state) in sessions where state.connection == connection {
            detach(&state)
            sessions[session] = state
            record(.detached(session: session))
        }
        for session in sessions.keys { launchIfNeeded(session) }
    }

    /// What its process has not handled waits for the next one, or is lost.
    func detach(_ state: inout DaemonSession) {
        state.connection = nil
        state.isLaunched = false
        var kept: [EventMessage] = []
        for message in state.sent where !kept.contains(where: { $0.number == message.number }) {
            switch message.event {
            case .progress: continue
            case .finishedEvents: state.owesEnd = true
            // The server still waits for the answer.
            case .challenge where challenges[message.number] == nil: continue
            case .challenge: kept.append(message)
            case .downloaded, .received, .completed:
                if behavior.repeatsInterruptedEvents || !state.begun.contains(message.number) {
                    kept.append(message)
                } else {
                    state.owesEnd = true
                    if case .downloaded(let file) = message.event { try? FileManager.default.removeItem(atPath: file) }
                }
            }
        }
        state.sent = []
        state.begun = []
        state.waiting = kept + state.waiting
        for number in state.tasks.keys { state.tasks[number]?.isReported = false }
    }

    /// Calls for the app when its events wait and no task of the session runs any more, or a server asks for a password.
    func launchIfNeeded(_ session: String) {
        guard let state = sessions[session], !state.waiting.isEmpty, state.connection == nil, !state.isLaunched,
            !isForceQuit, state.needsApp || !state.hasRunningTasks
        else { return }
        sessions[session]?.isLaunched = true
        record(.launched(session: session))
        launch(session)
    }

    /// Waiting events as ``Behavior`` says.
    private func arranged(_ events: [EventMessage]) -> [EventMessage] {
        var order: [Int?] = []
        for event in events where !order.contains(event.task?.number) { order.append(event.task?.number) }
        switch behavior.order {
        case .asHappened: return repeated(events)
        case .reversed: order.reverse()
        case .permuted(let positions):
            let named = positions.filter(order.indices.contains)
            order = named.map { order[$0] } + order.indices.filter { !named.contains($0) }.map { order[$0] }
        }
        return repeated(order.flatMap { number in events.filter { $0.task?.number == number } })
    }

    private func repeated(_ events: [EventMessage]) -> [EventMessage] {
        Array(repeatElement(events, count: max(1, behavior.deliveries)).joined())
    }
}
