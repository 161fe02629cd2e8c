import BackgroundWorkFoundation
import BackgroundWorkHTTP
import BackgroundWorkModel
import BackgroundWorkTransfers

extension DownloadRun {
    /// Marks of one stream are for power cuts only.
    private static let streamMarkInterval = Duration.seconds(5)
    /// What is not marked is lost with the process.
    private static let partsMarkInterval = Duration.seconds(1)

    /// Receives what is missing of the file. Returns the head of the first response, of several parts that of the first
    /// part; `nil` if nothing was missing.
    ///
    /// Throws ``ChangedFileError`` when it has to begin anew; nothing of the file counts then.
    func receive(from start: DownloadStart, splitting: Bool) async throws -> HTTPResponseHead? {
        switch start {
        case .beginning:
            reception.begin(RecordedEntity(validator: nil, total: nil), received: 0)
            return try await receiveWhole(after: 0, of: nil, splitting: splitting)
        case .stream(let offset, let entity):
            try await file.setLength(offset)
            try await file.beginDigest(plan.checksum?.algorithm)
            reception.begin(entity, received: offset)
            if offset == entity.total { return nil }
            return try await receiveWhole(after: offset, of: entity, splitting: splitting)
        case .parts(let table, let entity):
            try await file.beginDigest(plan.checksum?.algorithm)
            reception.begin(entity, table)
            if table.isComplete { return nil }
            return try await receiveParts(table, entity, first: nil)
        }
    }

    // MARK: One stream

    private func receiveWhole(
        after offset: Int64, of entity: RecordedEntity?, splitting: Bool
    ) async throws -> HTTPResponseHead? {
        var request = request()
        if offset > 0, let validator = entity?.validator {
            request.headers["Range"] = "bytes=\(offset)-"
            request.headers["If-Range"] = validator
        }
        let response = try await send(request)
        switch ResumePolicy.verdict(on: response.head, offset: offset, entity: entity) {
        case .append:
            try await digestReceived(upTo: offset)
            try await receive(response.body, of: request, after: offset)
        case .writeFromZero(let entity):
            if let total = entity.total { try checkLength(total, promised: total) }
            if splitting, let table = parts(of: response.head, entity) {
                try await begin(entity, table)
                // The whole speed is for all parts, each of which is to have its share.
                if isLimited { response.body.cancel() }
                let head = try await receiveParts(table, entity, first: isLimited ? nil : response)
                return isLimited ? response.head : head
            }
            try await begin(entity, nil)
            try await receive(response.body, of: request, after: 0)
        case .complete: break
        case .askForWhole, .rangesIgnored: throw ChangedFileError()
        case .fail(.status) where offset > 0 && mayBeForRanges(response.head, to: request): throw ChangedFileError()
        case .fail(let fault): throw failure(fault, response.head, request)
        }
        return response.head
    }

    private func send(_ request: HTTPRequest) async throws -> HTTPStreamedResponse {
        sentRequests.add(1, ordering: .relaxed)
        return try await requests.stream(request)
    }

    /// Whether a status may only refuse a range: the whole file is worth another request then.
    private func mayBeForRanges(_ head: HTTPResponseHead, to request: HTTPRequest) -> Bool {
        head.status == 501 || requests.failure(of: head, to: request)?.isRetryable == false
    }

    private func request() -> HTTPRequest {
        var request = requests.request(plan.url)
        request.wantsIdentity = true
        return request
    }

    private func failure(_ fault: ResponseFault, _ head: HTTPResponseHead, _ request: HTTPRequest) -> TransferFailure {
        switch fault {
        case .status:
            return requests.failure(of: head, to: request)
                ?? .status(head.status, retryAfter: nil, now: services.now, url)
        case .wrongRange, .invalidLength:
            return TransferFailure(
                kind: .truncated,
                message: "\(url.label): the server answered with "
                    + (fault == .wrongRange
                        ? "a part of the file that was not asked for." : "a length that is not valid.")
                    + " Try again later.", isRetryable: true)
        }
    }

    private func checkLength(_ bytes: Int64, promised: Int64?) throws {
        guard let limit = plan.maxBytes, bytes > limit else { return }
        throw TransferFailure.tooLong(limit: limit, promised: promised, url)
    }

    /// Empties the file and stores what its bytes will belong to.
    private func begin(_ entity: RecordedEntity, _ table: SegmentTable?) async throws {
        try await file.setLength(0)
        try await file.beginDigest(plan.checksum?.algorithm)
        if let table { reception.begin(entity, table) } else { reception.begin(entity, received: 0) }
        let known = plan.isResumable && entity.validator != nil
        // An older one must not stand beside bytes of which it does not know.
        if known || context.checkpoint != nil { try await save(known ? checkpoint(received: 0, table) : nil) }
    }

    private func receive(_ body: HTTPBodyStream, of request: HTTPRequest, after offset: Int64) async throws {
        try await keepingMarks(every: Self.streamMarkInterval) {
            var position = offset
            do {
                for try await piece in body {
                    try self.checkLength(position + Int64(piece.count), promised: nil)
                    try await self.file.write(piece, at: position)
                    position += Int64(piece.count)
                    self.reception.advance(to: position)
                }
            } catch {
                throw self.requests.failure(error, of: request)
            }
            try Task.checkCancellation()
            if let total = self.reception.entity.total, position != total {
                throw self.brokenOff(after: position, of: total)
            }
        }
    }

    private func brokenOff(after bytes: Int64, of total: Int64) -> TransferFailure {
        TransferFailure(
            kind: .truncated,
            message: "\(url.label): the response has broken off after \(bytes) of \(total) bytes. "
                + "Try again.", isRetryable: true)
    }

    private func digestReceived(upTo end: Int64) async throws {
        guard plan.checksum != nil else { return }
        while try await !file.digestMore(upTo: end) { try Task.checkCancellation() }
    }

    // MARK: Parts

    private var isLimited: Bool { plan.options.bytesPerSecond != nil }

    /// The parts in which a file can be fetched; `nil` if the server does not say enough about it.
    private func parts(of head: HTTPResponseHead, _ entity: RecordedEntity) -> SegmentTable? {
        guard head.status == 200, head.announcesRanges, let total = entity.total, total > 0,
            head.strongEntityTag != nil, head.strongEntityTag == entity.validator
        else { return nil }
        var table = SegmentTable(total: total, received: 0)
        table.split(into: plan.connections)
        return table.segments.count > 1 ? table : nil
    }

    /// - Parameter first: the response with the whole file, of which the first part is taken.
    private func receiveParts(
        _ table: SegmentTable, _ entity: RecordedEntity, first: HTTPStreamedResponse?
    ) async throws -> HTTPResponseHead? {
        let missing = table.segments.indices.filter { !table.segments[$0].isComplete }
        let rate = plan.options.bytesPerSecond.map { max(1, $0 / Int64(missing.count)) }
        return try await keepingMarks(every: Self.partsMarkInterval) {
            try await withThrowingTaskGroup(of: (Int, HTTPResponseHead?).self) { group in
                for index in missing {
                    let whole = index == 0 ? first : nil
                    group.addTask {
                        (index, try await self.receivePart(index, table.segments[index], entity, whole, rate))
                    }
                }
                var heads: [Int: HTTPResponseHead] = [:]
                // The first error ends the others.
                for try await (index, head) in group { heads[index] = head }
                return first?.head ?? heads.min { $0.key < $1.key }?.value
            }
        }
    }

    private func receivePart(
        _ index: Int, _ segment: SegmentTable.Segment, _ entity: RecordedEntity, _ whole: HTTPStreamedResponse?,
        _ rate: Int64?
    ) async throws -> HTTPResponseHead? {
        var request = request()
        var (body, head) = (whole?.body, whole?.head)
        if body == nil {
            request.headers["Range"] = "bytes=\(segment.mark)-\(segment.end - 1)"
            request.headers["If-Range"] = entity.validator
            request.bytesPerSecond = rate
            let response = try await send(request)
            head = response.head
            let part = segment.mark..<segment.end
            switch ResumePolicy.verdict(on: response.head, part: part, of: entity) {
            case .append where response.head.strongEntityTag == entity.validator: body = response.body
            case .fail(.status) where !mayBeForRanges(response.head, to: request):
                throw failure(.status, response.head, request)
            case .append, .writeFromZero, .complete, .askForWhole, .rangesIgnored, .fail: throw ChangedFileError()
            }
        }
        guard let body else { return nil }
        var position = segment.mark
        do {
            for try await piece in body {
                let piece = piece.prefix(Int(clamping: segment.end - position))
                try await file.write(piece, at: position)
                position += Int64(piece.count)
                reception.advance(to: position, inPart: index)
                if position == segment.end {
                    // The rest of the whole file is not wanted.
                    body.cancel()
                    return head
                }
            }
        } catch {
            throw requests.failure(error, of: request)
        }
        try Task.checkCancellation()
        throw brokenOff(after: position - segment.mark, of: segment.bytesLeft)
    }
}
