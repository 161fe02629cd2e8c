/// What to do with the answer to a request for one part of a file.
enum PartVerdict: Sendable, Hashable {
    /// The body is that part.
    case append
    /// The whole file came instead: this server takes no ranges.
    case rangesIgnored
    /// The file is another one now, or the part does not fit: ask once more, for the whole.
    case askForWhole
    /// A status other than 200, 206 and 416.
    case fail
}
