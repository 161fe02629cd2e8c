import Foundation
import TestSupport
import Testing

/// A library of the folder KillPoint that is preloaded into a program under test, compiled for this run of the tests.
enum PreloadedLibrary {
    /// Stops a program at a chosen system call.
    static let killPoint = compile("killpoint")
    /// Makes accesses to chosen paths hang.
    static let hangingPath = compile("hangingpath")

    /// Lets chosen system calls fail.
    static let faultPoint = compile("faultpoint")

    private static func compile(_ name: String) -> String {
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "KillPoint/\(name).c").path
        // Beside the tests, where the next run writes over it.
        let library = URL(filePath: Programs.agent).deletingLastPathComponent().path + "/\(name).so"
        let words = ["clang", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]
        do {
            let compiler = try ChildProcess(
                "/usr/bin/env", words, environment: ProcessInfo.processInfo.environment, log: "/dev/null")
            // Every caller needs the library, and building it takes a moment, once.
            if compiler.waitForChange() != .exited(0) {
                Issue.record("\(name).c could not be compiled with clang, which comes with Swift's toolchain")
            }
        } catch {
            Issue.record("clang could not be started: \(error)")
        }
        return library
    }
}
