import BackgroundWorkSystem
import Foundation
import Synchronization

/// What the system says about a process.
struct AgentProcess: Sendable {
    let identifier: Int32

    init(identifier: Int32) { self.identifier = identifier }

    /// The agent of a directory; `nil` while there is none.
    init?(servingDirectory directory: String) {
        let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
        let agent = ids.first { id in
            let arguments = FileManager.default.contents(atPath: "/proc/\(id)/cmdline")?.split(separator: 0) ?? []
            return arguments.dropFirst().starts(with: ["agent", "--directory", directory].map { Data($0.utf8) })
        }
        guard let agent else { return nil }
        identifier = agent
    }

    /// The private memory; `nil` when the process is gone.
    var privateMemory: PrivateMemory? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(identifier)/smaps_rollup"), !data.isEmpty else {
            return nil
        }
        return PrivateMemory(smapsRollup: String(decoding: data, as: UTF8.self))
    }

    /// The processor time so far, of user and system together, in seconds, in steps of the system's tick (10 ms).
    var cpuSeconds: Double {
        guard let data = FileManager.default.contents(atPath: "/proc/\(identifier)/stat") else { return 0 }
        // The program's name, in parentheses, may hold anything.
        let fields = String(decoding: data, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    func end() { kill(identifier, SIGKILL) }
}

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

/// The most private memory that the agent of a directory was seen with.
final class MemoryPeak: Sendable {
    private let directory: String
    private let peak = Mutex(PrivateMemory())

    init(directory: String) { self.directory = directory }

    var memory: PrivateMemory { peak.withLock { $0 } }

    /// Samples until the task is canceled. Each sample costs this process some processor time.
    func sample(every pause: Duration = .milliseconds(10)) async {
        var agent: AgentProcess?
        while !Task.isCancelled {
            agent = agent ?? AgentProcess(servingDirectory: directory)
            if let now = agent?.privateMemory { peak.withLock { $0 = $0.maximum(now) } }
            try? await Task.sleep(for: pause)
        }
    }
}
