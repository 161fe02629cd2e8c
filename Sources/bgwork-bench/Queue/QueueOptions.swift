import Foundation

/// What `queue` is told on its command line.
struct QueueOptions {
    static let usage = """
        usage: bgwork-bench queue [--only NAMES] [--rounds N] [--against PROGRAM] [--python PROGRAM] [--folder DIR]
                 [--json [FILE]] [--compare FILE] [--threshold PERCENT]
          NAMES: \(QueueRow.groups.joined(separator: ","))
        """

    enum Output: Equatable {
        case standardOutput
        case file(String)
    }

    var groups = Set(QueueRow.groups)
    var rounds = 5
    /// Another build of this program.
    var against: String?
    /// The interpreter that has Huey.
    var python: String?
    /// Where the benchmark's own folder is made. It has to be on a disk for the syncs to mean anything.
    var folder = FileManager.default.temporaryDirectory.path
    var json: Output?
    /// A report of an earlier run.
    var compare: String?
    var threshold = 20

    /// `nil` when the arguments make no sense.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let option = rest.popFirst() {
            if option == "--json" {
                json = .standardOutput
                if let file = rest.first, !file.hasPrefix("--") { json = rest.popFirst().map(Output.file) }
                continue
            }
            guard let value = rest.popFirst(), read(value, for: option) else { return nil }
        }
    }

    private mutating func read(_ value: String, for option: String) -> Bool {
        switch option {
        case "--only":
            groups = Set(value.split(separator: ",").map(String.init))
            return groups.isSubset(of: QueueRow.groups)
        case "--rounds": return Self.read(value, into: &rounds)
        case "--threshold": return Self.read(value, into: &threshold)
        case "--against": against = value
        case "--python": python = value
        case "--folder": folder = value
        case "--compare": compare = value
        default: return false
        }
        return true
    }

    private static func read(_ value: String, into number: inout Int) -> Bool {
        guard let read = Int(value), read > 0 else { return false }
        number = read
        return true
    }
}
