/// How a transfer continues from the bytes it has: what to request, and how to treat the response. Pure rules.
package enum ResumePolicy {
    /// Where the request starts: at the end of the file if the server can be asked whether its bytes belong to the
    /// current version.
    package static func offset(fileSize: Int64, entity: RecordedEntity?) -> Int64 {
        guard fileSize > 0, let entity, entity.validator != nil else { return 0 }
        // A file longer than announced is not a prefix of it.
        if let total = entity.total, fileSize > total { return 0 }
        return fileSize
    }

    /// - Parameters:
    ///   - headers: The headers of the final response.
    ///   - offset: Where the request started; 0 when it requested the whole file.
    ///   - entity: What the bytes before `offset` belong to.
    package static func verdict(on headers: some RangeResponse, offset: Int64, entity: RecordedEntity?)
        -> ResponseVerdict
    {
        switch headers.status {
        case 200 where headers.hasInvalidLength, 206 where headers.hasInvalidLength: return .fail(.invalidLength)
        case 200:
            // The bytes of a decoded body can neither be counted nor requested as ranges.
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
        onPart headers: some RangeResponse, offset: Int64, entity: RecordedEntity?
    ) -> ResponseVerdict {
        let mismatch: ResponseVerdict = offset > 0 ? .askForWhole : .fail(.wrongRange)
        guard let range = headers.contentRange.flatMap(ContentRange.init), let bytes = range.bytes,
            bytes.lowerBound == offset
        else { return mismatch }
        // A range that stops before the end would leave a hole; requesting the whole file is simpler, and the case is
        // rare.
        if let total = range.total, bytes.upperBound != total - 1 { return mismatch }
        if offset == 0 {
            // Not requested; accepted if it declares itself to be the whole file.
            guard let total = range.total else { return mismatch }
            return .writeFromZero(RecordedEntity(validator: headers.validator, total: total))
        }
        if let promised = entity?.total, let total = range.total, promised != total { return mismatch }
        if let promised = entity?.total, bytes.upperBound != promised - 1 { return mismatch }
        // This detects a server that ignores If-Range and has another version now.
        if let tag = headers.entityTag, let recorded = entity?.validator, recorded.hasPrefix("\""), tag != recorded {
            return mismatch
        }
        return .append
    }

    /// How to treat the response to a request for one part of a file whose version is known.
    package static func verdict(
        on headers: some RangeResponse, part: Range<Int64>, of entity: RecordedEntity
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
}

/// What to do with the response on one connection.
package enum ResponseVerdict: Sendable, Hashable {
    /// The body continues where the request started.
    case append
    /// The body is the whole file; the staging file is emptied first.
    case writeFromZero(RecordedEntity)
    /// The file is complete already.
    case complete
    /// The response does not match the file, or belongs to another version: request the whole file.
    case askForWhole
    /// The server sent the whole file instead of the requested part: it does not support ranges.
    case rangesIgnored
    case fail(ResponseFault)
}

/// Why a response cannot be used.
package enum ResponseFault: Sendable, Hashable {
    /// A status other than 200 and 206.
    case status
    /// A partial response that was not requested, or another part than the requested one.
    case wrongRange
    /// The headers give no valid length of the body, or two different ones.
    case invalidLength
}
