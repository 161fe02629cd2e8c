import BackgroundWorkSystem
import CBackgroundWorkLinux

/// Makes many new files durable.
package enum TreeFlush {
    /// Called for each file before it is closed. Does nothing: the volume is flushed at once in the end.
    package static func flush(file descriptor: Int32, path: @autoclosure () -> String) throws {}

    /// Called after the last file. Writes everything that the system holds for the volume of an open folder to its disk:
    /// one call instead of one for each file.
    package static func flush(volumeOf descriptor: Int32, path: String) throws {
        guard SystemCall.repeated({ bgw_sync_file_system(descriptor) }) == 0 else {
            throw FileError(action: "synchronize the volume of", path: path, code: errno)
        }
    }
}
