import Foundation
import Testing

/// The preloaded library that stops a program at a chosen system call, compiled once for a test run.
enum KillPointLibrary {
    static let path: String = {
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "KillPoint/killpoint.c").path
        // Beside the tests, where the next run writes over it.
        let library = URL(filePath: Programs.agent).deletingLastPathComponent().path + "/killpoint.so"
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["clang", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]
        do {
            try compiler.run()
            compiler.waitUntilExit()
        } catch {
            Issue.record("clang, which comes with Swift's toolchain, could not be run: \(error)")
        }
        if compiler.terminationStatus != 0 { Issue.record("killpoint.c could not be compiled") }
        return library
    }()
}
