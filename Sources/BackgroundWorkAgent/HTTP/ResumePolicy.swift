/// How a transfer goes on from the bytes it has: what to ask for, and what to make of the answer. Pure rules.
enum ResumePolicy {
    /// Where the request starts: at the end of the file if its bytes can be told to belong to what the server has now.
    static func offset(fileSize: Int64, entity: RecordedEntity?) -> Int64 {
        guard fileSize > 0, let entity, entity.validator != nil else { return 0 }
        // More than was promised is not a prefix of it.
        if let total = entity.total, fileSize > total { return 0 }
        return fileSize
    }

    /// - Parameters:
    ///   - headers: The head of the final response.
    ///   - offset: Where the request started; 0 when it asked for the whole.
    ///   - entity: What the bytes before `offset` belong to.
    static func verdict(on headers: ResponseHeaders, offset: Int64, entity: RecordedEntity?) -> ResponseVerdict {
        switch headers.status {
        case 200 where headers.hasInvalidLength, 206 where headers.hasInvalidLength: return .fail(.invalidLength)
        case 200:
            // Bytes that are unpacked on the way can be neither counted nor asked for.
            if headers.isEncoded { return .writeFromZero(RecordedEntity(validator: nil, total: nil)) }
            return .writeFromZero(RecordedEntity(validator: headers.validator, total: headers.contentLength))
        case 206 where headers.isEncoded: return offset > 0 ? .askForWhole : .fail(.wrongRange)
        case 206:
            return verdict(onPart: headers, offset: offset, entity: entity)
        case 416 where offset > 0:
            let range = headers.contentRange.flatMap(ContentRange.init)
            if let range, range.bytes == nil, range.total == offset, entity?.total == offset { return .complete }
            return .askForWhole
        default:
            return .fail(.status)
        }
    }

    private static func verdict(
        onPart headers: ResponseHeaders, offset: Int64, entity: RecordedEntity?
    ) -> ResponseVerdict {
        let misfit: ResponseVerdict = offset > 0 ? .askForWhole : .fail(.wrongRange)
        guard let range = headers.contentRange.flatMap(ContentRange.init), let bytes = range.bytes,
            bytes.lowerBound == offset
        else { return misfit }
        // A part that stops before the end would leave a hole to ask for; asking for the whole is simpler and rare.
        if let total = range.total, bytes.upperBound != total - 1 { return misfit }
        if offset == 0 {
            // Unasked for; it will do if it says itself that it is the whole.
            guard let total = range.total else { return misfit }
            return .writeFromZero(RecordedEntity(validator: headers.validator, total: total))
        }
        if let promised = entity?.total, let total = range.total, promised != total { return misfit }
        if let promised = entity?.total, bytes.upperBound != promised - 1 { return misfit }
        // A server that ignores If-Range and has another version now gives itself away here.
        if let tag = headers.entityTag, let recorded = entity?.validator, recorded.hasPrefix("\""), tag != recorded {
            return misfit
        }
        return .append
    }

    /// What to make of the answer to a request for one part of a file whose version is known.
    static func verdict(
        on headers: ResponseHeaders, part: Range<Int64>, of entity: RecordedEntity
    ) -> ResponseVerdict {
        switch headers.status {
        case 200 where headers.hasInvalidLength, 206 where headers.hasInvalidLength: return .fail(.invalidLength)
        case 206:
            guard !headers.isEncoded, let range = headers.contentRange.flatMap(ContentRange.init),
                let bytes = range.bytes, bytes.lowerBound == part.lowerBound, bytes.upperBound == part.upperBound - 1,
                range.total ?? entity.total == entity.total
            else { return .askForWhole }
            if let tag = headers.entityTag, let recorded = entity.validator, recorded.hasPrefix("\""), tag != recorded {
                return .askForWhole
            }
            return .append
        case 200 where headers.validator == entity.validator && !headers.isEncoded: return .rangesIgnored
        case 200, 416: return .askForWhole
        default: return .fail(.status)
        }
    }

    /// Whether a server that gave this status may give a better one later.
    static func isRetryable(status: Int) -> Bool { status == 408 || status == 429 || (500...599).contains(status) }
}
