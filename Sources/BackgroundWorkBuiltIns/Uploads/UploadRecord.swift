import BackgroundWorkModel
import BackgroundWorkTransfers

/// What has become of the files of a parallel upload so far, in all attempts of the work: its checkpoint. Pure.
struct UploadRecord: Sendable {
    /// A file's result, and whether it stays as it is.
    struct Entry: Sendable, Hashable, Codable {
        var result: ParallelHttpUploadWorker.FileResult
        var isFinal: Bool
    }

    private struct Document: Codable {
        var url: String
        /// By the index of the file in the input.
        var entries: [String: Entry]
    }

    private let url: String
    private(set) var entries: [Int: Entry] = [:]

    /// - Parameter checkpoint: of an earlier attempt. What belongs to another input is left out.
    init(for input: ParallelHttpUploadWorker.Input, checkpoint: String?) {
        url = ShownURL.text(input.url)
        guard let checkpoint, let document = try? JSONCoding.value(Document.self, from: checkpoint), document.url == url
        else { return }
        for (key, entry) in document.entries {
            guard let index = Int(key), input.files.indices.contains(index),
                input.files[index].filePath == entry.result.filePath
            else { continue }
            entries[index] = entry
        }
    }

    var json: String {
        JSONCoding.certainText(
            of: Document(url: url, entries: Dictionary(uniqueKeysWithValues: entries.map { ("\($0.key)", $0.value) })))
    }

    /// Whether the file was accepted, or refused for good.
    func isDone(_ index: Int) -> Bool { entries[index]?.isFinal ?? false }

    /// How many times the file was tried.
    func attempts(_ index: Int) -> Int { entries[index]?.result.attempts ?? 0 }

    mutating func set(_ entry: Entry, for index: Int) { entries[index] = entry }

    /// In the order of the files.
    var results: [ParallelHttpUploadWorker.FileResult] { entries.sorted { $0.key < $1.key }.map(\.value.result) }
}
