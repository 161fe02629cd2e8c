#if os(Linux)
/// The way to a watched path: the folders in which one of its parts is looked up, and what stands at its end.
///
/// Every folder on the way is watched for the name that matters, so that whatever changes where the path leads is told.
struct InotifyRoute {
    /// A name that is looked up in a folder.
    struct Turn {
        let watch: Int32
        let name: [UInt8]
        /// Whether nothing follows it: an event of this name is a change of the path.
        let isLast: Bool
    }

    var turns: [Turn] = []
    /// The watch on the file or folder itself; nil if there is none.
    var destination: Int32?
    var problem: FileWatchProblem?

    var watches: Set<Int32> { Set(turns.map(\.watch) + [destination].compactMap(\.self)) }
}
#endif
