#if os(Linux)
/// Why a source of conditions is asked to look.
enum Wake: Sendable {
    /// Its descriptor has something to read; what it is may not concern it.
    case events
    /// The time for a look has come.
    case time
}
#endif
