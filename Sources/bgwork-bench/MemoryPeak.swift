#if os(Linux)
import Foundation
import Synchronization

/// The most private memory (smaps_rollup: Private_Clean and Private_Dirty) that the agent of a directory was seen with.
final class MemoryPeak: Sendable {
    private let directory: String
    private let peak = Mutex(0)

    init(directory: String) { self.directory = directory }

    var kilobytes: Int { peak.withLock { $0 } }

    /// Looks until the task is cancelled.
    func sample() async {
        while !Task.isCancelled {
            if let now = Self.privateKilobytes(ofAgentIn: directory) { peak.withLock { $0 = max($0, now) } }
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    private static func privateKilobytes(ofAgentIn directory: String) -> Int? {
        let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int($0) } ?? []
        let agent = ids.first { id in
            let arguments = FileManager.default.contents(atPath: "/proc/\(id)/cmdline")?.split(separator: 0) ?? []
            return arguments.dropFirst().starts(with: ["agent", "--directory", directory].map { Data($0.utf8) })
        }
        guard let agent, let data = FileManager.default.contents(atPath: "/proc/\(agent)/smaps_rollup") else {
            return nil
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("Private_Clean:") || $0.hasPrefix("Private_Dirty:") }
            .compactMap { Int($0.split(separator: " ")[1]) }.reduce(0, +)
    }
}
#endif
