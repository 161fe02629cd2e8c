import BackgroundWorkArchive
import BackgroundWorkFiles
import BackgroundWorkSystem

/// Adds files, folders and links to an archive, and to the list of what may be deleted then.
final class EntryAdder {
    private let writer: ZipWriter
    private let originals: OriginalsListWriter?
    private let flag: CancellationFlag
    private(set) var progress: ByteProgress

    init(_ writer: ZipWriter, _ originals: OriginalsListWriter?, _ progress: ByteProgress, _ flag: CancellationFlag) {
        self.writer = writer
        self.originals = originals
        self.progress = progress
        self.flag = flag
    }

    func addFolder(name: [UInt8], _ status: stat) throws {
        try writer.add(entry(name, .folder, status))
        try originals?.append(OriginalStamp(status), name: name)
    }

    /// Adds an open file as it is now.
    func addFile(name: [UInt8], _ file: Int32, _ status: stat, path: @autoclosure () -> String) throws {
        let bytes = UInt64(max(0, status.st_size))
        let read = try writer.add(entry(name, .file, status), reading: file, bytes: bytes, path: path()) { count in
            try flag.check()
            progress.add(count)
        }
        guard let originals else { return }
        var after = stat()
        let (before, isReadable) = (OriginalStamp(status), fstat(file, &after) == 0)
        // One that has changed meanwhile is listed in a way that it cannot have, so that it is seen to be kept.
        var stamp = before
        if !isReadable || read != bytes || !OriginalStamp(after).isStill(before) { stamp.bytes = -1 }
        try originals.append(stamp, name: name)
    }

    /// Adds a link as such, with what it leads to as its content.
    func addLink(name: [UInt8], _ ownName: [UInt8], _ cursor: FolderCursor) throws {
        var status = stat()
        var target = [CChar](repeating: 0, count: 4096)
        let count = Name.withCString(ownName) { text in
            guard fstatat(cursor.descriptor, text, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return -1 }
            return readlinkat(cursor.descriptor, text, &target, target.count)
        }
        guard count >= 0 else { throw FileError(action: "read the link", path: cursor.path(of: ownName), code: errno) }
        try writer.add(entry(name, .link, status), content: target[..<count].map { UInt8(bitPattern: $0) })
        try originals?.append(OriginalStamp(status), name: name)
    }

    private func entry(_ name: [UInt8], _ kind: ZipEntry.Kind, _ status: stat) -> ZipEntry {
        ZipEntry(
            name: name, kind: kind, mode: UInt16(truncatingIfNeeded: status.st_mode & 0o777),
            modified: Int64(status.lastWritten.tv_sec))
    }
}
