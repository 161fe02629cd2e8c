#if os(Linux)
import Foundation
import Synchronization

/// The most private memory that the agent of a directory was seen with.
final class MemoryPeak: Sendable {
    private let directory: String
    private let peak = Mutex(PrivateMemory())

    init(directory: String) { self.directory = directory }

    var memory: PrivateMemory { peak.withLock { $0 } }

    /// Looks until the task is cancelled. Each look costs this process some time of the processor.
    func sample(every pause: Duration = .milliseconds(10)) async {
        var agent: AgentProcess?
        while !Task.isCancelled {
            agent = agent ?? AgentProcess(servingDirectory: directory)
            if let now = agent?.privateMemory { peak.withLock { $0 = $0.maximum(now) } }
            try? await Task.sleep(for: pause)
        }
    }
}
#endif
