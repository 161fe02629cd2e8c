import BackgroundWorkSystem
import CBackgroundWorkLinux

/// The system's atomic renaming to a name that must be free.
package enum ExclusiveRename {
    /// Renames from one open folder to another, or within one. Returns 0, or the error number: EEXIST when the name is
    /// taken; EINVAL, ENOSYS or ENOTSUP where the volume or the system does not support this.
    package static func code(
        of source: UnsafePointer<CChar>, in folder: Int32, to target: UnsafePointer<CChar>, in targetFolder: Int32
    ) -> Int32 {
        SystemCall.repeated { bgw_rename_to_free_name(folder, source, targetFolder, target) } == 0 ? 0 : errno
    }
}
