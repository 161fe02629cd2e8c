import Foundation

/// The locks for which iOS ends a process that it suspends, as far as Linux shows them.
enum HeldLocks {
    /// The files in a folder that a process has locked, by flock(2), or by fcntl(2) for writing. The locks for reading
    /// are those of open SQLite databases, which iOS permits.
    ///
    /// Throws an error when the system's list cannot be read.
    static func files(of process: Int32, in folder: String) throws -> [String] {
        let list = try FileHandle(forReadingFrom: URL(filePath: "/proc/locks"))
        // Its pieces are shorter than a page, so one read may have a part of it.
        var text = Data()
        while let piece = try list.read(upToCount: 65_536), !piece.isEmpty { text += piece }
        var inodes: Set<UInt64> = []
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 6, words[1] != "->", Int32(words[4]) == process,
                words[1] == "FLOCK" || words[3] == "WRITE",
                let inode = words[5].split(separator: ":").last.flatMap({ UInt64($0) })
            else { continue }
            inodes.insert(inode)
        }
        if inodes.isEmpty { return [] }
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return names.filter { name in
            var status = stat()
            return lstat(folder + "/" + name, &status) == 0 && inodes.contains(UInt64(status.st_ino))
        }.sorted()
    }

    /// Whether a process is stopped, as by SIGSTOP.
    static func isStopped(_ process: Int32) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let state = text.split(separator: ")").last?.split(separator: " ").first
        else { return false }
        return state == "T"
    }
}
