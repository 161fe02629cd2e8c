import BackgroundWorkFoundation
import BackgroundWorkSystem

/// Sets aside a file that cannot be read, so that a new one can be created without destroying the old one.
package enum DamagedFile {
    /// Renames the file, with a database's `-wal` and `-shm`, to `<file>.corrupt-<time>`, and returns that path.
    package static func setAside(_ path: String, at date: Date) throws -> String {
        var target = "\(path).corrupt-\(TimeStamp.fileName(date))"
        var number = 1
        while access(target, F_OK) == 0 {
            number += 1
            target = "\(path).corrupt-\(TimeStamp.fileName(date))-\(number)"
        }
        for suffix in ["-wal", "-shm", ""] where access(path + suffix, F_OK) == 0 {
            guard rename(path + suffix, target + suffix) == 0 else {
                throw FileError(action: "set aside", path: path + suffix, code: errno)
            }
        }
        return target
    }
}

/// An instant as part of a file name: `20260102T030405Z`.
package enum TimeStamp {
    package static func fileName(_ date: Date) -> String {
        date.formatted(
            .iso8601.year().month().day().dateSeparator(.omitted).time(includingFractionalSeconds: false)
                .timeSeparator(.omitted).timeZone(separator: .omitted))
    }
}

/// Whether the system can read a file.
package enum FileReadability {
    /// Reads the whole file, and throws ``FileError`` when the system cannot. Does not throw for a missing file.
    package static func check(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw FileError(action: "open", path: path, code: errno)
        }
        defer { close(descriptor) }
        try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
            var offset: off_t = 0
            while true {
                let count = pread(descriptor, buffer.baseAddress, buffer.count, offset)
                if count == 0 { return }
                if count > 0 {
                    offset += off_t(count)
                } else if errno != EINTR {
                    throw FileError(action: "read", path: path, code: errno)
                }
            }
        }
    }
}
