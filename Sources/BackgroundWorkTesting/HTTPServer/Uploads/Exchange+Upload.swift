import BackgroundWorkFiles

extension Exchange {
    /// Receives an upload, keeps what arrived of it, and answers.
    func receiveUpload(to shelf: UploadShelf) -> ConnectionFate {
        guard let digest = try? StreamingDigest(.sha256) else {
            return sendLast(.text(500, "the server has no SHA-256 to offer"))
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
