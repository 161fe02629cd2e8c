import Foundation

/// The agent's program that is measured when none is named: the one that is built beside the benchmark.
enum AgentProgram {
    struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    /// Builds it first: `swift run bgwork-bench` builds no other program, and one that is there may be an old one.
    static func built() async throws -> String {
        let benchmark = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let products = URL(filePath: benchmark).deletingLastPathComponent()
        let program = products.appending(path: "bgwork-agent").path
        guard let package = package(above: products) else {
            guard FileManager.default.isExecutableFile(atPath: program) else {
                throw Missing(
                    description: "There is no agent at \(program). Name one: bgwork-bench transfers --agent PROGRAM.")
            }
            return program
        }
        // The products lie in <scratch>/<platform>/<configuration>.
        let scratch = products.deletingLastPathComponent().deletingLastPathComponent().path
        print("transfers: building \(program)")
        try await CommandLineTool.run(
            "swift",
            [
                "build", "--quiet", "--configuration", products.lastPathComponent, "--product", "bgwork-agent",
                "--package-path", package.path, "--scratch-path", scratch,
            ])
        return program
    }

    private static func package(above folder: URL) -> URL? {
        var folder = folder
        while folder.path != "/" {
            if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) { return folder }
            folder.deleteLastPathComponent()
        }
        return nil
    }
}
