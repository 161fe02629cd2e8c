import CBackgroundWorkLinux

/// Files without a name: O_TMPFILE of open(2).
enum UnnamedFile {
    /// Its descriptor, for reading and writing, with the permissions of any new file; -1 with errno set.
    static func create(in folder: Int32) -> Int32 { bgw_create_unnamed(folder) }

    /// 0, or -1 with errno set.
    static func name(_ file: Int32, _ name: String, in folder: Int32) -> Int32 { bgw_name_file(file, folder, name) }
}
