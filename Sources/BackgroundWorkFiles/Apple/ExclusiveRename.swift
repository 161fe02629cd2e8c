import BackgroundWorkSystem

/// The system's atomic renaming to a name that must be free.
enum ExclusiveRename {
    /// Returns 0, or the error number: EEXIST when the name is taken; EINVAL, ENOSYS or ENOTSUP where the volume or the
    /// system does not support this.
    static func code(of source: String, to target: String) -> Int32 {
        SystemCall.repeated { renamex_np(source, target, UInt32(RENAME_EXCL)) } == 0 ? 0 : errno
    }
}
