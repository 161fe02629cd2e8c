import Foundation
import Testing

/// A library of the folder KillPoint that is preloaded into a program under test, compiled for this run of the tests.
enum PreloadedLibrary {
    /// Stops a program at a chosen system call.
    static let killPoint = compile("killpoint")
    /// Lets looks at chosen paths hang.
    static let hangingPath = compile("hangingpath")

    /// Lets chosen system calls fail.
    static let faultPoint = compile("faultpoint")

    private static func compile(_ name: String) -> String {
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "KillPoint/\(name).c").path
        // Beside the tests, where the next run writes over it.
        let library = URL(filePath: Programs.agent).deletingLastPathComponent().path + "/\(name).so"
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["clang", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]
        do {
            try compiler.run()
            compiler.waitUntilExit()
        } catch {
            Issue.record("clang, which comes with Swift's toolchain, could not be run: \(error)")
        }
        if compiler.terminationStatus != 0 { Issue.record("\(name).c could not be compiled") }
        return library
    }
}
