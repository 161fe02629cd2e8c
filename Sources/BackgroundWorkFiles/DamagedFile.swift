#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sets a file that cannot be read aside, so that a new one can be begun and nothing of the old is destroyed.
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
