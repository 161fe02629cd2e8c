import BackgroundWorkModel
import Dispatch
import Synchronization

import BackgroundWorkSystem

/// The requests of a local server, and the callers that wait for some.
final class RequestLog: Sendable {
    private struct Contents: ~Copyable {
        var requests: [LoggedRequest] = []
        var watchers: [Int: Watcher] = [:]
        var watchersMade = 0
        var isCheckScheduled = false
        var isClosed = false
    }

    private struct Watcher: Sendable {
        var isSatisfied: @Sendable ([LoggedRequest]) -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    private let contents = Mutex(Contents())
    /// Watchers are called here, with the requests known by then: calling them at each change would take a time that
    /// grows with the square of the number of requests.
    private let queue = DispatchQueue(label: "BackgroundWork.LocalHTTPServer.requests")
    private let file: String?

    init(file: String?) {
        self.file = file
        if let file { RequestLogFile.create(at: file) }
    }

    var requests: [LoggedRequest] { contents.withLock { $0.requests } }

    /// Adds a request; returns its index for ``update(_:_:)``.
    func begin(_ head: RequestHead, connection: Int) -> Int {
        let range = ByteRange(head.headers["range"])?.logged
        return change { contents in
            contents.requests.append(
                LoggedRequest(
                    ordinal: contents.requests.count + 1, connection: connection, method: head.method,
                    path: head.target, headers: head.headers, range: range, status: 0, bodyBytes: 0,
                    receivedBytes: 0, isComplete: false, isOver: false))
            return contents.requests.count - 1
        }
    }

    func update(_ index: Int, _ body: (inout LoggedRequest) -> Void) { change { body(&$0.requests[index]) } }

    /// Marks a request as over, and writes it to the file.
    func end(_ index: Int) {
        update(index) { $0.isOver = true }
        guard let file else { return }
        let request = contents.withLock { $0.requests[index] }
        guard let line = try? JSONCoding.text(of: request) else { return }
        RequestLogFile.append(Array(line.utf8) + [0x0a], to: file)
    }

    /// Returns when `isSatisfied` accepts the requests, or the log is closed.
    func wait(until isSatisfied: @escaping @Sendable ([LoggedRequest]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isClosed = change { contents in
                if contents.isClosed { return true }
                contents.watchersMade += 1
                let watcher = Watcher(isSatisfied: isSatisfied, continuation: continuation)
                contents.watchers[contents.watchersMade] = watcher
                return false
            }
            if isClosed { continuation.resume() }
        }
    }

    /// Resumes all waiting callers.
    func close() {
        let watchers = contents.withLock { contents in
            contents.isClosed = true
            defer { contents.watchers = [:] }
            return contents.watchers.values
        }
        for watcher in watchers { watcher.continuation.resume() }
    }

    private func change<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
        let (result, mustSchedule) = contents.withLock { contents in
            let result = body(&contents)
            let mustSchedule = !contents.watchers.isEmpty && !contents.isCheckScheduled
            if mustSchedule { contents.isCheckScheduled = true }
            return (result, mustSchedule)
        }
        if mustSchedule { queue.async { self.resumeSatisfied() } }
        return result
    }

    private func resumeSatisfied() {
        let (requests, watchers) = contents.withLock { contents in
            contents.isCheckScheduled = false
            return (contents.requests, contents.watchers)
        }
        // Without the lock: a test's closure may call the server.
        let satisfied = watchers.filter { $0.value.isSatisfied(requests) }.keys
        let resumed = contents.withLock { contents in satisfied.compactMap { contents.watchers.removeValue(forKey: $0) }
        }
        for watcher in resumed { watcher.continuation.resume() }
    }
}

/// Appends whole lines to a log file.
enum RequestLogFile {
    /// Creates the file if there is none.
    static func create(at path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        if descriptor >= 0 { close(descriptor) }
    }

    /// A file that no longer exists is not created again: an answer may end after its server's folder was removed.
    static func append(_ line: [UInt8], to path: String) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = write(descriptor, line, line.count)
    }
}
