#if os(Linux)
import Foundation
import Synchronization

/// The most private memory that the agent of a directory was seen with.
final class MemoryPeak: Sendable {
    private let directory: String
    private let peak = Mutex(0)

    init(directory: String) { self.directory = directory }

    var kilobytes: Int { peak.withLock { $0 } }

    /// Looks every 10 ms until the task is cancelled.
    func sample() async {
        var agent: AgentProcess?
        while !Task.isCancelled {
            agent = agent ?? AgentProcess(servingDirectory: directory)
            if let now = agent?.privateKilobytes { peak.withLock { $0 = max($0, now) } }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }
}
#endif
