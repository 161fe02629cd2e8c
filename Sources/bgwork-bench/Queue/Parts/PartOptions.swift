import Foundation

/// What a part is told on its command line: words of the form `name=value`.
struct PartOptions {
    private var values: [String: String] = [:]

    /// `nil` when a word is not of that form.
    init?(_ words: some Sequence<String>) {
        for word in words {
            let sides = word.split(separator: "=", maxSplits: 1)
            guard sides.count == 2 else { return nil }
            values[String(sides[0])] = String(sides[1])
        }
    }

    func number(_ name: String, default value: Int) -> Int { values[name].flatMap { Int($0) } ?? value }

    func text(_ name: String, default value: String) -> String { values[name] ?? value }

    func isSet(_ name: String) -> Bool { values[name] == "1" }

    /// The queue's directory: the one that was prepared, or a new name in the benchmark's folder.
    var directory: URL { values["directory"].map { URL(filePath: $0) } ?? newFolder() }

    /// The name of a folder that does not exist yet.
    func newFolder() -> URL {
        let parent = values["folder"].map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
        return parent.appending(path: "part-\(UUID().uuidString)")
    }
}
