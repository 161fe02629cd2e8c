import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the threads of a local server share.
final class ServerState: Sendable {
    private struct Contents: ~Copyable {
        var resources: [String: Resource] = [:]
        var behaviours: [String: Behaviour] = [:]
        var queued: [String: [Behaviour]] = [:]
        var released: Set<String> = []
        var requests: [LoggedRequest] = []
        var watchers: [Watcher] = []
        var connections: Set<Int32> = []
        var isStopped = false
    }

    private struct Watcher {
        var isSatisfied: @Sendable ([LoggedRequest]) -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    private let contents = Mutex(Contents())
    private let logFile: String?

    init(logFile: String?) { self.logFile = logFile }

    var requests: [LoggedRequest] { contents.withLock { $0.requests } }

    var isStopped: Bool { contents.withLock { $0.isStopped } }

    func serve(_ resource: Resource, at path: String) { contents.withLock { $0.resources[path] = resource } }

    func resource(at path: String) -> Resource? { contents.withLock { $0.resources[path] } }

    func setBehaviours(_ behaviours: [Behaviour], for path: String) {
        contents.withLock { contents in
            contents.behaviours[path] = behaviours.last ?? .correct
            contents.queued[path] = Array(behaviours.dropLast())
            contents.released.remove(path)
        }
    }

    /// The behaviour for the next request; the last of a sequence stays.
    func nextBehaviour(for path: String) -> Behaviour {
        contents.withLock { contents in
            if let next = contents.queued[path]?.first {
                contents.queued[path]?.removeFirst()
                return next
            }
            return contents.behaviours[path] ?? .correct
        }
    }

    func release(_ path: String) { contents.withLock { _ = $0.released.insert(path) } }

    func isReleased(_ path: String) -> Bool { contents.withLock { $0.released.contains(path) || $0.isStopped } }

    func begin(_ head: RequestParser.Head) -> Int {
        let index = contents.withLock { contents in
            contents.requests.append(
                LoggedRequest(
                    ordinal: contents.requests.count + 1, method: head.method, path: head.path,
                    headers: head.headers, range: RequestParser.range(head.headers["range"]), status: 0,
                    bodyBytes: 0, isComplete: false))
            return contents.requests.count - 1
        }
        tellWatchers()
        return index
    }

    func update(_ index: Int, _ change: (inout LoggedRequest) -> Void) {
        contents.withLock { change(&$0.requests[index]) }
        tellWatchers()
    }

    private func tellWatchers() {
        let satisfied = contents.withLock { contents -> [Watcher] in
            if contents.watchers.isEmpty { return [] }
            let (requests, watchers) = (contents.requests, contents.watchers)
            contents.watchers = watchers.filter { !$0.isSatisfied(requests) }
            return watchers.filter { $0.isSatisfied(requests) }
        }
        for watcher in satisfied { watcher.continuation.resume() }
    }

    func end(_ index: Int) {
        guard let logFile else { return }
        let request = contents.withLock { $0.requests[index] }
        guard let line = try? JSONEncoder().encode(request) else { return }
        RequestLogFile.append(Array(line) + [0x0a], to: logFile)
    }

    func wait(until isSatisfied: @escaping @Sendable ([LoggedRequest]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isSatisfiedNow = contents.withLock { contents in
                if isSatisfied(contents.requests) || contents.isStopped { return true }
                contents.watchers.append(Watcher(isSatisfied: isSatisfied, continuation: continuation))
                return false
            }
            if isSatisfiedNow { continuation.resume() }
        }
    }

    /// Whether the connection may go on; not when the server has stopped.
    func open(_ connection: Int32) -> Bool {
        contents.withLock { contents in
            if contents.isStopped { return false }
            contents.connections.insert(connection)
            return true
        }
    }

    func close(_ connection: Int32) { contents.withLock { _ = $0.connections.remove(connection) } }

    /// Stops everything, and hands each open connection to `body` while it cannot be closed by its thread.
    func stop(_ body: (Int32) -> Void) {
        let watchers = contents.withLock { contents in
            contents.isStopped = true
            for connection in contents.connections { body(connection) }
            defer { contents.watchers = [] }
            return contents.watchers
        }
        for watcher in watchers { watcher.continuation.resume() }
    }
}
