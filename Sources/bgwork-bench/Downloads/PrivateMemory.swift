#if os(Linux)
/// The memory that a process shares with no other, in kilobytes.
struct PrivateMemory: Sendable, CustomStringConvertible {
    /// What the process has written, and what can be read from its files again.
    var all = 0
    /// What the process has written: it cannot be given back without the process.
    var dirty = 0

    init() {}

    /// - Parameter text: what `/proc/<pid>/smaps_rollup` says.
    init(smapsRollup text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 1, let kilobytes = Int(words[1]) else { continue }
            switch words[0] {
            case "Private_Clean:": all += kilobytes
            case "Private_Dirty:":
                all += kilobytes
                dirty += kilobytes
            default: break
            }
        }
    }

    var description: String { "\(all) kB (dirty \(dirty))" }

    /// The larger figure of each kind.
    func maximum(_ other: PrivateMemory) -> PrivateMemory {
        var larger = self
        larger.all = max(all, other.all)
        larger.dirty = max(dirty, other.dirty)
        return larger
    }
}

extension [PrivateMemory] {
    /// The largest figure of each kind.
    var maximum: PrivateMemory { reduce(PrivateMemory()) { $0.maximum($1) } }
}
#endif
