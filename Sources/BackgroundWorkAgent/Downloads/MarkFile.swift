import BackgroundWorkSystem
import BackgroundWorkTransfers

/// How far each part of a staging file has come: `<task>.marks` beside it. After a crash of the process it is valid;
/// after a crash of the machine only the journal's checkpoint is valid, because this file is not synced.
///
/// Numbers of 8 bytes in the machine's order: a magic number, the file's length, the count of parts, and for each part
/// start, end and mark.
final class MarkFile {
    private static let magic: Int64 = 0x4247_574d_4152_4b31
    private static let headerWords = 3
    private static let segmentWords = 3

    let path: String
    private let descriptor: Int32

    /// Writes a table to the file; replaces an existing one atomically.
    init(path: String, table: SegmentTable) throws(SystemCallError) {
        self.path = path
        let fresh = path + ".new"
        descriptor = open(fresh, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemCallError("open", fresh) }
        var words = [Self.magic, table.total, Int64(table.segments.count)]
        for segment in table.segments { words += [segment.start, segment.end, segment.mark] }
        let bytes = words.count * 8
        guard words.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, bytes, 0) }) == bytes,
            rename(fresh, path) == 0
        else {
            let error = SystemCallError("write", fresh)
            unlink(fresh)
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Records how far a part has come. To be called after the bytes before the mark were written.
    func note(_ mark: Int64, of segment: Int) throws(SystemCallError) {
        var mark = mark
        let offset = (Self.headerWords + segment * Self.segmentWords + 2) * 8
        guard pwrite(descriptor, &mark, 8, offset) == 8 else { throw SystemCallError("write", path) }
    }

    /// The table that an earlier agent left; `nil` if there is none, or no valid one. Throws the error of a failed
    /// system call.
    static func read(_ path: String) throws(SystemCallError) -> SegmentTable? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ELOOP { return nil }
            throw SystemCallError("open", path)
        }
        defer { close(descriptor) }
        var words = [Int64](repeating: 0, count: headerWords + SegmentTable.maximumCount * segmentWords)
        let bytes = words.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        if bytes < 0 { throw SystemCallError("read", path) }
        guard bytes >= headerWords * 8, words[0] == magic, (1...SegmentTable.maximumCount).contains(Int(words[2])),
            bytes == (headerWords + Int(words[2]) * segmentWords) * 8
        else { return nil }
        let segments = (0..<Int(words[2])).map { index in
            let place = headerWords + index * segmentWords
            return SegmentTable.Segment(start: words[place], end: words[place + 1], mark: words[place + 2])
        }
        return SegmentTable(total: words[1], segments: segments)
    }

    static func remove(_ path: String) { unlink(path) }
}
