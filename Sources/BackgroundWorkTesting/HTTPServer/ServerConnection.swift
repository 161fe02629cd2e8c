#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Serves one connection on its own thread, with blocking calls.
struct ServerConnection {
    private static let pieceBytes = 64 << 10

    let descriptor: Int32
    let state: ServerState

    func run() {
        var buffer: [UInt8] = []
        while !state.isStopped {
            do {
                guard let (head, consumed) = try RequestParser.parse(buffer) else {
                    guard receive(into: &buffer) else { return }
                    continue
                }
                buffer.removeFirst(consumed)
                guard answer(head) else { return }
            } catch {
                let status = error == .headersTooLarge ? "431 Request Header Fields Too Large" : "400 Bad Request"
                _ = send(Array("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
                return
            }
        }
    }

    /// Whether the connection may carry another request.
    private func answer(_ head: RequestParser.Head) -> Bool {
        let log = state.begin(head)
        defer { state.end(log) }
        let path = String(head.path.prefix { $0 != "?" })
        let behaviour = state.nextBehaviour(for: path)
        if behaviour.isSilent {
            // Until the client gives up or the server stops.
            var ignored: [UInt8] = []
            while receive(into: &ignored) {}
            return false
        }
        if let target = behaviour.redirectTarget { return text(302, "moved", log, extra: "Location: \(target)\r\n") }
        if let status = behaviour.status { return text(status, "as the test wants it\n", log) }
        guard head.method == "GET" || head.method == "HEAD" else { return text(405, "GET and HEAD only\n", log) }
        guard let resource = state.resource(at: path), let reader = ResourceReader(resource) else {
            return text(404, "nothing is served here\n", log)
        }
        let plan = ResponsePlan(
            resource: resource, size: reader.size, headers: head.headers, ignoresRanges: behaviour.ignoresRanges)
        state.update(log) { $0.status = plan.status }
        guard send(Array(plan.head(behaviour).utf8)) else { return false }
        if head.method == "HEAD" || plan.status == 416 {
            state.update(log) { $0.isComplete = true }
            return true
        }
        return sendBody(plan, reader, behaviour, path: path, log: log)
    }

    private func sendBody(
        _ plan: ResponsePlan, _ reader: ResourceReader, _ behaviour: Behaviour, path: String, log: Int
    ) -> Bool {
        var pace = behaviour.bytesPerSecond.map(Pace.init)
        var offset = plan.start
        let limit = behaviour.closesAfter.map { min(plan.end, plan.start + $0) } ?? plan.end
        while offset < limit {
            var count = Int(min(Int64(pace?.pieceBytes ?? Self.pieceBytes), limit - offset))
            if let hold = behaviour.holdsAfter {
                let left = plan.start + hold - offset
                if left <= 0 {
                    guard waitForRelease(path) else { return false }
                } else {
                    count = min(count, Int(left))
                }
            }
            let piece = reader.read(at: offset, count: count)
            guard !piece.isEmpty, send(piece) else { return false }
            offset += Int64(piece.count)
            state.update(log) { $0.bodyBytes += Int64(piece.count) }
            pace?.wait(afterSending: piece.count)
        }
        let isWhole = offset == plan.end && behaviour.promisedExtraBytes == 0
        state.update(log) { $0.isComplete = isWhole }
        return isWhole && !behaviour.hidesLength
    }

    /// Waits until the test releases the path; whether the client is still there then.
    private func waitForRelease(_ path: String) -> Bool {
        while !state.isReleased(path) {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // A client says nothing while it reads a body, so whatever arrives is its end.
            if poll(&waiting, 1, 5) != 0 { return false }
        }
        return true
    }

    private func text(_ status: Int, _ body: String, _ log: Int, extra: String = "") -> Bool {
        let head =
            "HTTP/1.1 \(status) Test\r\n\(extra)Content-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        state.update(log) { $0.status = status }
        guard send(Array((head + body).utf8)) else { return false }
        state.update(log) { request in
            request.bodyBytes = Int64(body.utf8.count)
            request.isComplete = true
        }
        return true
    }

    private func receive(into buffer: inout [UInt8]) -> Bool {
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count > 0 else { return false }
        buffer += piece[..<count]
        return true
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { SocketCalls.send(descriptor, $0) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
