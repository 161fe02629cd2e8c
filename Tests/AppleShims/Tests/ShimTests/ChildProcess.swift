import Foundation

// Foundation's `Process` waits for all that inherit its socket, also for another test's child. Foundation and the
// package's module for the system's library do not go into one file.

/// Starts a program that is found by `PATH`. Returns 0, or the error number.
func spawn(_ program: String, _ arguments: [String], _ pid: inout Int32) -> Int32 {
    let words = ([program] + arguments).map { (text: String) in strdup(text) }
    defer { for word in words { free(word) } }
    return posix_spawnp(&pid, program, nil, nil, words + [nil], environ)
}

/// Runs a shell script in a folder. Returns how it has ended: 0 if all went well.
func runScript(_ text: String, in folder: String) -> Int32 {
    var pid: Int32 = 0
    var status: Int32 = 0
    let code = spawn("sh", ["-c", "cd '\(folder)' && { \(text)\n} > output 2>&1"], &pid)
    guard code == 0 else { return code }
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status
}
