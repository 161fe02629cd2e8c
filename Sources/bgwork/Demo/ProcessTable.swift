#if os(Linux)
import Foundation
import Glibc

/// Processes as /proc shows them.
enum ProcessTable {
    struct Process: Hashable {
        var id: pid_t
        var parent: pid_t
    }

    /// The living processes whose arguments contain `words` in a row.
    static func processes(withArguments words: [String]) -> [Process] {
        let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
        return ids.compactMap { id in
            guard let line = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") else { return nil }
            let arguments = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            let runs = arguments.indices.contains { arguments[$0...].starts(with: words) }
            guard runs, let parent = parent(of: id) else { return nil }
            return Process(id: id, parent: parent)
        }
    }

    /// The parent's id; `nil` for a process that is gone or a zombie.
    private static func parent(of id: pid_t) -> pid_t? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(id)/stat") else { return nil }
        // The name in parentheses may itself hold spaces and parentheses (proc(5)).
        let fields = String(decoding: data, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 1, fields[0] != "Z", fields[0] != "X" else { return nil }
        return pid_t(fields[1])
    }
}
#endif
