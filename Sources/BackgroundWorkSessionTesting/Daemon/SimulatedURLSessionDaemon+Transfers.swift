import BackgroundWorkModel
import BackgroundWorkURLSession

/// The transfers themselves.
extension SimulatedURLSessionDaemon {
    /// Begins a task's request, or the next one of it, if nothing keeps it from that.
    func startIfDue(_ number: Int, in session: String) {
        guard var task = sessions[session]?.tasks[number], task.load == nil, !task.isSuspended,
            !behavior.holdsTransfers
        else { return }
        if let begin = task.record.earliestBeginDate, begin > clock.now {
            return start(number, in: session, after: .seconds(begin.timeIntervalSince(clock.now)))
        }
        if behavior.refusesPlainHTTP, task.request.url.lowercased().hasPrefix("http:") {
            let text =
                "The resource could not be loaded because the App Transport Security policy requires the use of"
                + " a secure connection."
            return complete(
                number, in: session,
                ErrorRecord(code: NSURLErrorAppTransportSecurityRequiresSecureConnection, text: text))
        }
        guard var request = task.request.request else {
            return complete(number, in: session, ErrorRecord(code: NSURLErrorBadURL, text: "bad URL"))
        }
        let made: URLSessionDataTask?
        if let source = task.source {
            guard FileManager.default.isReadableFile(atPath: source) else {
                return complete(number, in: session, ErrorRecord(code: NSURLErrorFileDoesNotExist, text: "no file"))
            }
            made = loading { $0.uploadTask(with: request, fromFile: URL(filePath: source)) }
        } else {
            if let known = task.continuation {
                request.setValue("bytes=\(known.offset)-", forHTTPHeaderField: "Range")
                request.setValue(known.validator, forHTTPHeaderField: "If-Range")
            }
            let request = request
            made = loading { $0.dataTask(with: request) }
        }
        guard let load = made else { return }
        task.load = load.taskIdentifier
        sessions[session]?.tasks[number] = task
        loads[load.taskIdentifier] = (load, session, number)
        record(.requested(session: session, task: number))
        load.resume()
    }

    private func start(_ number: Int, in session: String, after wait: Duration) {
        let clock = clock
        _Concurrency.Task { [weak self] in
            try? await clock.sleep(for: wait)
            await self?.startIfDue(number, in: session)
        }
    }

    /// Ends a task's request; the task stays.
    func halt(_ number: Int, in session: String) {
        guard let load = sessions[session]?.tasks[number]?.load else { return }
        sessions[session]?.tasks[number]?.load = nil
        loads.removeValue(forKey: load)?.task.cancel()
    }

    func loaded(_ load: Int, _ event: SessionLoader.Event) {
        guard let (_, session, number) = loads[load], var task = sessions[session]?.tasks[number] else { return }
        switch event {
        case .answered(let response):
            let continues = task.answered(response)
            if task.isDownload, !continues, let file = task.file { try? FileManager.default.removeItem(atPath: file) }
            if !continues { task.file = nil }
            sessions[session]?.tasks[number] = task
        case .received(let data) where task.isDownload: received(data, of: task, in: session)
        case .received(let data): send(.received(data), of: task, in: session)
        case .sent(let bytes, let total):
            (task.sent, task.total) = (bytes, total)
            sessions[session]?.tasks[number] = task
            report(task, in: session)
        case .challenged(let space, let failures, let answer):
            challenges[nextEvent] = answer
            send(.challenge(space, failures: failures), of: task, in: session)
            launchIfNeeded(session)
        case .completed(let error):
            loads[load] = nil
            sessions[session]?.tasks[number]?.load = nil
            if let error, error.domain == NSURLErrorDomain, error.code == NSURLErrorTimedOut {
                return startIfDue(number, in: session)
            }
            var error = error
            if error?.code == NSURLErrorUnknown, task.record.response != nil {
                // For a body that ends early Linux's Foundation has no code.
                error = ErrorRecord(code: NSURLErrorNetworkConnectionLost, text: "The network connection was lost.")
            }
            if error != nil { error?.resumeData = resumeData(of: number, in: session) }
            complete(number, in: session, error)
        }
    }

    private func received(_ data: Data, of task: DaemonTask, in session: String) {
        var task = task
        do {
            let file = try task.file ?? makeFile()
            task.file = file
            let handle = try FileHandle(forWritingTo: URL(filePath: file))
            defer { try? handle.close() }
            try handle.seek(toOffset: UInt64(task.received))
            try handle.write(contentsOf: data)
        } catch {
            halt(task.record.number, in: session)
            return complete(
                task.record.number, in: session, ErrorRecord(code: NSURLErrorCannotWriteToFile, text: "\(error)"))
        }
        task.received += Int64(data.count)
        sessions[session]?.tasks[task.record.number] = task
        report(task, in: session)
    }

    private func makeFile() throws -> String {
        let file = folder + "/CFNetworkDownload_\(nextFile).tmp"
        nextFile += 1
        try Data().write(to: URL(filePath: file))
        return file
    }

    /// A task has ended: its app is told, now or when it is there.
    func complete(_ number: Int, in session: String, _ error: ErrorRecord?) {
        guard var task = sessions[session]?.tasks.removeValue(forKey: number) else { return }
        task.record.state = URLSessionTask.State.completed.rawValue
        var error = error
        if error == nil, task.isDownload {
            do {
                send(.downloaded(file: try task.file ?? makeFile()), of: task, in: session)
            } catch let failure {
                error = ErrorRecord(code: NSURLErrorCannotCreateFile, text: "\(failure)")
            }
        } else if let file = task.file {
            try? FileManager.default.removeItem(atPath: file)
        }
        record(.completed(session: session, task: number, errorCode: error?.code))
        send(.completed(error), of: task, in: session)
        launchIfNeeded(session)
    }
}
