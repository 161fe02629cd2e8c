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
