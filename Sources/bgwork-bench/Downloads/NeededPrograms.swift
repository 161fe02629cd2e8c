#if os(Linux)
import Foundation

/// The programs that the agent is measured against and with.
enum NeededPrograms {
    struct Missing: Error, CustomStringConvertible {
        var names: [String]
        var description: String {
            "The benchmark needs \(names.joined(separator: ", ")). On Debian: apt-get install nginx-light curl aria2 strace"
        }
    }

    /// Throws ``Missing`` with those that are in no folder of PATH, nor where nginx is.
    static func check(_ names: [String]) throws {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin"]
        let missing = names.filter { name in
            !folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
        }
        if !missing.isEmpty { throw Missing(names: missing) }
    }
}
#endif
