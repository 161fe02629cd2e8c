/// Sending an answer, with the faults of its behaviour.
extension Exchange {
    private static let pieceBytes = 64 << 10

    /// Sends an answer; `isLast` ends the connection after it.
    func send(_ answer: Answer, isLast: Bool = false) -> ConnectionFate {
        let end: ConnectionFate = behaviour.resets ? .resets : .closes
        if behaviour.losesAnswer { return end }
        let isLast = isLast || head.isLast || behaviour.isEndedByClose
        let content = head.method == "HEAD" ? nil : answer.content
        let isWhole = content == nil || answer.range.isEmpty && behaviour.promisedExtraBytes == 0
        state.log.update(log) { $0.status = answer.status }
        guard send(Array(answer.head(behaviour, isLast: isLast).utf8), bodyBytes: 0, isEnd: isWhole) else {
            return .closes
        }
        if let content {
            guard let isWhole = sendBody(answer.range, of: content) else { return .closes }
            if !isWhole { return end }
        }
        return isLast || behaviour.closesAfterAnswer ? end : .continues
    }

    /// Whether the whole announced body was sent; `nil` when the connection is over.
    private func sendBody(_ range: Range<Int64>, of content: ResourceReader) -> Bool? {
        var pace = behaviour.pace
        let largest = Int64(max(1, pace?.pieceBytes ?? behaviour.pieceBytes ?? Self.pieceBytes))
        var offset = range.lowerBound
        let limit = behaviour.closesAfter.map { min(range.upperBound, offset + $0) } ?? range.upperBound
        var hold = behaviour.holdsAfter ?? .max
        while offset < limit {
            if offset - range.lowerBound >= hold {
                guard let released = waitForRelease(after: offset - range.lowerBound) else { return nil }
                hold = released
                pace = behaviour.pace
            }
            let count = min(largest, limit - offset, hold - (offset - range.lowerBound))
            let piece = content.read(at: offset, count: Int(count))
            offset += Int64(piece.count)
            let isEnd = offset == range.upperBound && behaviour.promisedExtraBytes == 0
            let sent = behaviour.isChunked ? Self.chunk(piece, isLast: isEnd) : piece
            guard !piece.isEmpty, send(sent, bodyBytes: piece.count, isEnd: isEnd) else { return nil }
            pace?.wait(afterSending: piece.count)
        }
        if range.isEmpty, behaviour.isChunked, !socket.send(Self.chunk([], isLast: true)) { return nil }
        return offset == range.upperBound && behaviour.promisedExtraBytes == 0
    }

    /// Sends bytes and logs how many of them belong to the body. The end of an answer is logged before it is sent, so
    /// that a client that has all of it finds it in the log.
    private func send(_ bytes: [UInt8], bodyBytes: Int, isEnd: Bool) -> Bool {
        func note(_ count: Int, _ isComplete: Bool) {
            state.log.update(log) { request in
                request.bodyBytes += Int64(count)
                request.isComplete = isComplete
            }
        }
        if isEnd { note(bodyBytes, true) }
        guard socket.send(bytes) else {
            if isEnd { note(-bodyBytes, false) }
            return false
        }
        if !isEnd, bodyBytes > 0 { note(bodyBytes, false) }
        return true
    }

    /// A chunk of the chunked transfer coding, with the end of the body if it is the last.
    private static func chunk(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
        let chunk = Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
        return isLast && !bytes.isEmpty ? chunk + Array("0\r\n\r\n".utf8) : chunk
    }
}
