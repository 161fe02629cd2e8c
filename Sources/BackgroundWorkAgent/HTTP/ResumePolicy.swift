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

/// What to do with the response on one connection.
enum ResponseVerdict: Sendable, Hashable {
    /// The body goes on where the request started.
    case append
    /// The body is the whole; the file is emptied first.
    case writeFromZero(RecordedEntity)
    /// The file holds everything already.
    case complete
    /// What came does not fit the file, or is of another one: ask once more, for the whole.
    case askForWhole
    /// The whole file came instead of the part that was asked for: this server takes no ranges.
    case rangesIgnored
    case fail(ResponseFault)
}

/// Why a response is no file.
enum ResponseFault: Sendable, Hashable {
    /// A status other than 200 and 206.
    case status
    /// A partial answer that was not asked for, or not the part that was.
    case wrongRange
    /// Its head does not say how long the body is, or says it in two ways.
    case invalidLength
}

/// A `Content-Range` header in bytes (RFC 9110, section 14.4): `bytes 5-9/10`, `bytes 5-9/*` or `bytes */10`.
struct ContentRange: Sendable, Hashable {
    /// The first and the last byte of the body; `nil` in the answer to a range that cannot be satisfied.
    var bytes: ClosedRange<Int64>?
    /// The length of the whole, unless the server does not know it.
    var total: Int64?

    init(bytes: ClosedRange<Int64>?, total: Int64?) {
        self.bytes = bytes
        self.total = total
    }

    init?(_ header: String) {
        let words = header.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] == "*" {
            total = nil
        } else if let length = Self.number(parts[1]) {
            total = length
        } else {
            return nil
        }
        if parts[0] == "*" {
            guard total != nil else { return nil }
            bytes = nil
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < total ?? .max
        else { return nil }
        bytes = first...last
    }

    /// Digits only: `Int64.init` would take a sign as well.
    private static func number(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
