import BackgroundWorkHTTP
import BackgroundWorkModel
import BackgroundWorkTransfers

/// How far a download is, for the next run.
extension DownloadRun {
    /// Stores marks while the body runs.
    func keepingMarks<Value: Sendable>(
        every interval: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard plan.isResumable, reception.entity.validator != nil else { return try await body() }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                while (try? await Task.sleep(for: interval)) != nil { try await self.mark() }
                return nil
            }
            defer { group.cancelAll() }
            while let value = try await group.next() { if let value { return value } }
            throw CancellationError()
        }
    }

    /// Stores how far the download is, once that is on the disk.
    func mark() async throws {
        guard plan.isResumable, reception.entity.validator != nil, let (received, table) = reception.nextMark else {
            return
        }
        try await file.synchronize()
        try await save(checkpoint(received: received, table))
        reception.marked(received, table)
    }

    func checkpoint(received: Int64, _ table: SegmentTable?) async throws -> DownloadCheckpoint {
        var checkpoint = DownloadCheckpoint(
            source: source, inode: try await file.identity().inode, entity: reception.entity, boot: boot)
        checkpoint.received = received
        checkpoint.segments = table?.segments
        return checkpoint
    }

    /// Throws a `CancellationError` when this run is no longer the current one.
    func save(_ checkpoint: DownloadCheckpoint?) async throws {
        do {
            try await context.saveCheckpoint(try checkpoint.map { try JSONCoding.text(of: $0) })
        } catch CheckpointError.runIsOver {
            throw CancellationError()
        }
    }
}
