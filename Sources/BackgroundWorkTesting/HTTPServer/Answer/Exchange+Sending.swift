/// Sending an answer, and spoiling it on the way.
extension Exchange {
    private static let pieceBytes = 64 << 10

    /// Sends an answer; `isLast` ends the connection after it.
    func send(_ answer: Answer, isLast: Bool = false) -> ConnectionFate {
        let end: ConnectionFate = behaviour.resets ? .resets : .closes
        if behaviour.losesAnswer { return end }
        let isLast = isLast || head.isLast || behaviour.isEndedByClose
        state.log.update(log) { $0.status = answer.status }
        guard socket.send(Array(answer.head(behaviour, isLast: isLast).utf8)) else { return .closes }
        if head.method != "HEAD", let content = answer.content {
            guard let isWhole = sendBody(answer.range, of: content) else { return .closes }
            if !isWhole { return end }
        } else {
            state.log.update(log) { $0.isComplete = true }
        }
        return isLast || behaviour.closesAfterAnswer ? end : .goesOn
    }

    /// Whether the whole of what was promised was sent; `nil` when the connection is over.
    private func sendBody(_ range: Range<Int64>, of content: ResourceReader) -> Bool? {
        var pace = behaviour.bytesPerSecond.map { Pace(bytesPerSecond: $0, pieceBytes: behaviour.pieceBytes) }
        let largest = Int64(max(1, pace?.pieceBytes ?? behaviour.pieceBytes ?? Self.pieceBytes))
        var offset = range.lowerBound
        let limit = behaviour.closesAfter.map { min(range.upperBound, offset + $0) } ?? range.upperBound
        var hold = behaviour.holdsAfter.map { offset + $0 }
        while offset < limit {
            if let held = hold, offset >= held {
                guard waitForRelease() else { return nil }
                hold = nil
            }
            let count = min(largest, limit - offset, hold.map { $0 - offset } ?? largest)
            let piece = content.read(at: offset, count: Int(count))
            guard !piece.isEmpty, socket.send(behaviour.isChunked ? Self.chunk(piece) : piece) else { return nil }
            offset += Int64(piece.count)
            state.log.update(log) { $0.bodyBytes += Int64(piece.count) }
            pace?.wait(afterSending: piece.count)
        }
        var isWhole = offset == range.upperBound && behaviour.promisedExtraBytes == 0
        if isWhole, behaviour.isChunked { isWhole = socket.send(Self.chunk([])) }
        state.log.update(log) { $0.isComplete = isWhole }
        return isWhole
    }

    /// A chunk of the chunked transfer coding; an empty one ends the body.
    private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0d, 0x0a]
    }
}
