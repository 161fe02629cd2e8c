/// What to do with a response.
enum ResponseVerdict: Sendable, Hashable {
    /// The body goes on where the file ends.
    case append
    /// The body is the whole; the file is emptied first.
    case writeFromZero(RecordedEntity)
    /// The file holds everything already.
    case complete
    /// The partial answer does not fit the file: ask once more, for the whole.
    case askForWhole
    case fail(ResponseFault)
}
