import BackgroundWorkExchange
import BackgroundWorkDevice
import BackgroundWorkFiles
import BackgroundWorkTransfers

/// Receives the connections' data; called from inside libcurl.
extension DownloadWork: ExchangeHandler {
    /// A body up to this size usually arrives in one piece.
    private static let smallBytes: Int64 = 16 << 10

    func receive(_ bytes: UnsafeRawBufferPointer, of exchange: Exchange) -> BodyAnswer {
        guard let stream = streams.first(where: { $0.exchange === exchange }) else { return .breakOff }
        switch judge(stream) {
        case .append, .writeFromZero: break
        case .complete, .askForWhole, .rangesIgnored, .fail: return .breakOff
        }
        do {
            if !stream.isAdmitted {
                guard try admit(stream) else { return .wait }
                stream.isAdmitted = true
            }
            return try take(bytes, on: stream)
        } catch let failure as TransferFailure {
            exchange.breakOff(failure)
        } catch let error as SystemCallError {
            exchange.breakOff(.disk(error, url))
        } catch {
            exchange.breakOff(.network("\(error)", url))
        }
        return .breakOff
    }

    @discardableResult
    func judge(_ stream: DownloadStream) -> ResponseVerdict {
        if let verdict = stream.verdict { return verdict }
        let headers = stream.exchange.headers
        let verdict =
            if let part = stream.part, let entity {
                ResumePolicy.verdict(on: headers, part: part, of: entity)
            } else {
                ResumePolicy.verdict(on: headers, offset: stream.offset, entity: entity)
            }
        stream.verdict = verdict
        return verdict
    }

    /// Whether the body may be written now. A new body must wait until the journal no longer records the old one as
    /// valid: otherwise bytes of two versions could be joined after a crash. The old bytes are deleted first, so that
    /// the journal's record refers to an empty file in the meantime.
    private func admit(_ stream: DownloadStream) throws -> Bool {
        guard case .writeFromZero(let fresh) = judge(stream) else {
            try checkRoom(for: (entity?.total).map { $0 - bytes })
            considerConnections(stream)
            return true
        }
        if let limit = job.maxBytes, let total = fresh.total, total > limit {
            throw TransferFailure.tooLong(limit: limit, promised: total, url)
        }
        let replacesRecorded = entity != nil
        try emptyFile()
        stream.writer.startOver()
        try checkRoom(for: fresh.total)
        entity = fresh
        considerConnections(stream)
        // So few bytes do not justify a transaction: after a crash the download starts again.
        if !replacesRecorded, let total = fresh.total, total <= Self.smallBytes { return true }
        let (task, boot) = (task, context.boot)
        context.staging.submit(write: { try $0.recordEntity(fresh, task: task, boot: boot) }) {
            [weak self, weak stream] in
            guard let self, let stream, self.streams.contains(where: { $0 === stream }) else { return }
            if case .failure(let error) = $0 {
                stream.exchange.breakOff(.journal(error, self.url))
                self.context.exchanges.breakOff(stream.exchange)
            } else if stream.exchange.isPaused {
                stream.isAdmitted = true
                stream.exchange.goOn()
            }
        }
        return !replacesRecorded
    }

    private func checkRoom(for bytes: Int64?) throws(TransferFailure) {
        // So few bytes are written at once, and the write fails if the disk is full.
        guard let bytes, bytes > Self.smallBytes else { return }
        for path in [context.paths.stagingDirectory] + [DurableFile.folder(of: specification.savePath)] {
            // If the volume does not report its free space, the write itself fails when it is full.
            guard let free = try? VolumeSpace(of: path).available, free < bytes else { continue }
            throw .noSpace(needed: bytes, free: Int64(free), at: path, url)
        }
    }

    /// Decides, after the first response, whether the file is downloaded over several connections.
    private func considerConnections(_ stream: DownloadStream) {
        guard stream.part == nil, job.connections.maximum > 1, job.isResumable, !hasAskedForWhole, !isWithoutRanges,
            let entity, entity.validator != nil, let total = entity.total, stream.exchange.headers.takesRanges,
            total - stream.offset >= 2 * SegmentTable.smallestPart
        else { return }
        wantsConnections = true
    }

    private func take(_ bytes: UnsafeRawBufferPointer, on stream: DownloadStream) throws -> BodyAnswer {
        var piece = bytes
        if let segment = stream.segment, let table {
            let room = max(0, table.segments[segment].end - stream.writer.received)
            if Int64(bytes.count) > room {
                piece = UnsafeRawBufferPointer(rebasing: bytes[..<Int(room)])
                stream.hasAll = true
            }
        }
        if let limit = job.maxBytes, stream.writer.received + Int64(piece.count) > limit {
            throw TransferFailure.tooLong(limit: limit, promised: nil, url)
        }
        isUntouched = false
        try stream.writer.append(piece)
        return stream.hasAll ? .breakOff : .taken
    }
}
