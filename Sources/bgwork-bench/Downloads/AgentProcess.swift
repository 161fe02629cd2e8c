#if os(Linux)
import Foundation
import Glibc

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
#endif
