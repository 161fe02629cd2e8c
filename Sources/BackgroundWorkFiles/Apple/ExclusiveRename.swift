import BackgroundWorkSystem

/// The system's atomic renaming to a name that must be free.
enum ExclusiveRename {
    /// Renames in an open folder. Returns 0, or the error number: EEXIST when the name is taken; EINVAL, ENOSYS or ENOTSUP where the volume or the
    /// system does not support this.
    static func code(of source: String, to target: String, in folder: Int32) -> Int32 {
        SystemCall.repeated { renameatx_np(folder, source, folder, target, UInt32(RENAME_EXCL)) } == 0 ? 0 : errno
    }
}
