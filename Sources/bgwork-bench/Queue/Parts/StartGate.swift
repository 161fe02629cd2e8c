import Foundation

/// Lets processes on one directory begin at the same time, by files in it.
struct StartGate {
    var directory: URL

    /// Opens as soon as all are there.
    func open(for names: [String]) async throws {
        for name in names { try await wait(for: name) }
        try Data().write(to: file("go"))
    }

    /// Waits until the gate opens.
    func pass(as name: String) async throws {
        try Data().write(to: file(name))
        try await wait(for: "go")
    }

    private func file(_ name: String) -> URL { directory.appending(path: "gate-\(name)") }

    private func wait(for name: String) async throws {
        while !FileManager.default.fileExists(atPath: file(name).path) { try await Task.sleep(for: .milliseconds(1)) }
    }
}
