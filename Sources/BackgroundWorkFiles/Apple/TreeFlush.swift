import BackgroundWorkSystem

/// Makes many new files durable.
package enum TreeFlush {
    /// Called for each file before it is closed. There is no call for all files of a volume.
    package static func flush(file descriptor: Int32, path: @autoclosure () -> String) throws {
        guard SystemCall.repeated({ fsync(descriptor) }) == 0 else {
            throw FileError(action: "synchronize", path: path(), code: errno)
        }
    }

    /// Called after the last file, with an open folder above all of them.
    package static func flush(volumeOf descriptor: Int32, path: String) throws {
        guard SystemCall.repeated({ fsync(descriptor) }) == 0 else {
            throw FileError(action: "synchronize the folder", path: path, code: errno)
        }
    }
}
