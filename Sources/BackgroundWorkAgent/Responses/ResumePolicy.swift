/// What a response means for the bytes that are there already.
enum ResumePolicy {
    enum Decision: Sendable, Hashable {
        /// The body goes on where the file ends.
        case append
        /// The body is the whole file: what is there does not count.
        case startOver
        /// The file is whole already.
        case complete
        /// The answer does not fit the question; ask once more for the whole.
        case askForWhole
        /// No file comes with this status.
        case fail
    }

    /// - Parameters:
    ///   - offset: the byte that was asked for; 0 when the whole was.
    ///   - recorded: what the bytes on disk belong to.
    static func decision(for head: ResponseHead, offset: Int64, recorded: RecordedEntity?) -> Decision {
        switch head.status {
        case 206 where offset > 0:
            guard let range = head.contentRange, range.start == offset else { return .askForWhole }
            if let known = recorded?.total, let total = range.total, known != total { return .askForWhole }
            return .append
        case 206: return head.contentRange?.start == 0 ? .startOver : .fail
        case 200: return .startOver
        case 416 where offset > 0: return head.contentRange?.total == offset ? .complete : .askForWhole
        default: return .fail
        }
    }

    /// The length of the whole file that the response promises, in bytes.
    static func total(of head: ResponseHead) -> Int64? {
        head.status == 206 ? head.contentRange?.total : head.contentLength
    }
}
