/// The range of a request with a single range (RFC 9110, section 14.1.2).
enum ByteRange: Hashable {
    /// From one byte to another, the end inclusive or open.
    case from(Int64, to: Int64?)
    /// This many bytes at the end.
    case last(Int64)

    /// `nil` for an invalid range and for several ranges, which are ignored.
    init?(_ header: String?) {
        guard let header, header.hasPrefix("bytes=") else { return nil }
        let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }) else { return nil }
        switch (Int64(ends[0]), Int64(ends[1])) {
        case (let start?, let end?):
            guard start <= end else { return nil }
            self = .from(start, to: end)
        case (let start?, nil):
            guard ends[1].isEmpty else { return nil }
            self = .from(start, to: nil)
        case (nil, let count?):
            guard ends[0].isEmpty else { return nil }
            self = .last(count)
        case (nil, nil): return nil
        }
    }

    /// The bytes of a resource of this size, the end exclusive; `nil` when it has none of them.
    func bytes(of size: Int64) -> Range<Int64>? {
        switch self {
        case .from(let start, let end):
            guard start < size else { return nil }
            return start..<(end.map { min($0, size - 1) } ?? size - 1) + 1
        case .last(let count):
            guard count > 0, size > 0 else { return nil }
            return max(0, size - count)..<size
        }
    }

    var logged: LoggedRequest.Range {
        switch self {
        case .from(let start, let end): LoggedRequest.Range(start: start, end: end)
        case .last(let count): LoggedRequest.Range(start: -count, end: nil)
        }
    }
}
