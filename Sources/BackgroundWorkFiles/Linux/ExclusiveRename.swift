import BackgroundWorkSystem
import CBackgroundWorkLinux

/// The system's atomic renaming to a name that must be free.
enum ExclusiveRename {
    /// Renames in an open folder. Returns 0, or the error number: EEXIST when the name is taken; EINVAL, ENOSYS or ENOTSUP where the volume or the
    /// system does not support this.
    static func code(of source: String, to target: String, in folder: Int32) -> Int32 {
        SystemCall.repeated { bgw_rename_to_free_name(folder, source, target) } == 0 ? 0 : errno
    }
}
