import BackgroundWorkFiles

/// Receiving the body of a request.
extension Exchange {
    /// How the body of a request ended.
    enum BodyEnd {
        case whole
        /// The behaviour does not accept more of it.
        case refused
        /// The client has closed the connection, or sent an invalid body.
        case broken
        /// The receiver of the bytes does not accept more of them.
        case declined
    }

    private static let pieceBytes = 64 << 10

    /// Receives the body as the behaviour prescribes, and passes each piece to `take` until that returns false.
    func receiveBody(_ take: ([UInt8]) -> Bool = { _ in true }) -> BodyEnd {
        guard body.isPresent else { return .whole }
        if head.waitsForContinue, !behaviour.ignoresExpectation, behaviour.receivesAtMost != 0 {
            guard socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return .broken }
        }
        var pace = behaviour.pace
        let largest = Int64(max(1, pace?.pieceBytes ?? behaviour.pieceBytes ?? Self.pieceBytes))
        var received: Int64 = 0
        var hold = behaviour.holdsUploadAfter ?? .max
        while true {
            if let limit = behaviour.receivesAtMost, received >= limit { return .refused }
            if received >= hold {
                guard let released = waitForRelease(after: received) else { return .broken }
                hold = released
                pace = behaviour.pace
            }
            let count = min(largest, (behaviour.receivesAtMost ?? .max) - received, hold - received)
            switch body.next(atMost: Int(count)) {
            case .end: return .whole
            case .broken: return .broken
            case .bytes(let bytes):
                received += Int64(bytes.count)
                state.log.update(log) { $0.receivedBytes += Int64(bytes.count) }
                guard take(bytes) else { return .declined }
                pace?.wait(afterSending: bytes.count)
            }
        }
    }

    /// Answers a request according to the end of its body, unless the behaviour prescribes another answer.
    func conclude(_ end: BodyEnd, _ answer: () -> Answer) -> ConnectionFate {
        switch end {
        case .whole: send(prescribed ?? answer())
        case .refused: prescribed.map(sendLast) ?? (behaviour.resets ? .resets : .lingers)
        case .broken: .closes
        case .declined: sendLast(answer())
        }
    }

    /// Answers a request whose body has not been read to its end.
    func sendLast(_ answer: Answer) -> ConnectionFate {
        let fate = send(answer, isLast: true)
        return fate == .closes ? .lingers : fate
    }
}

extension Exchange {
    /// Receives an upload, keeps what arrived of it, and answers.
    func receiveUpload(to shelf: UploadShelf) -> ConnectionFate {
        guard let digest = try? StreamingDigest(.sha256) else {
            return sendLast(.text(500, "the server cannot compute SHA-256"))
        }
        var kept: [UInt8] = []
        var count: Int64 = 0
        let end = receiveBody { bytes in
            digest.update(bytes)
            count += Int64(bytes.count)
            kept += bytes.prefix(max(0, shelf.limit - kept.count))
            return true
        }
        let isComplete = if case .whole = end { true } else { false }
        shelf.add(
            ReceivedUpload(
                ordinal: log + 1, method: head.method, headers: head.headers, byteCount: count, bytes: kept,
                sha256: (try? digest.finish()) ?? "", isComplete: isComplete))
        return conclude(end) { .text(200, "received \(count) bytes") }
    }
}
