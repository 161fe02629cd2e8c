import Foundation
import Synchronization

/// The most memory that this process has had.
final class MemoryWatch: Sendable {
    /// In MiB.
    struct Peak: Codable, Sendable {
        /// With the pages of the program and its libraries, which the system can take back at any time.
        var resident: Double
        /// What belongs to this process alone: its heap, stacks and changed data. Looked at a hundred times a second.
        var anonymous: Double
    }

    private let anonymous = Mutex(0)
    private let looking = Mutex<Task<Void, Never>?>(nil)

    init() {
        let task = Task { [weak self] in
            while !Task.isCancelled {
                self?.look()
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
        looking.withLock { $0 = task }
    }

    func end() -> Peak {
        look()
        looking.withLock { $0?.cancel() }
        return Peak(
            resident: Double(Self.kibibytes("VmHWM")) / 1024, anonymous: Double(anonymous.withLock { $0 }) / 1024)
    }

    private func look() {
        let now = Self.kibibytes("RssAnon")
        anonymous.withLock { $0 = max($0, now) }
    }

    private static func kibibytes(_ field: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(field + ":") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }
}
