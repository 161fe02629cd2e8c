import BackgroundWorkSystem

/// Owners and permissions of files.
enum FileRights {
    static var isRoot: Bool { user == 0 }
    static var user: UInt32 { geteuid() }

    /// The number, and the name where the system has one, as messages give them.
    static func words(user: UInt32) -> String {
        getpwuid(user).map { "\(user) (\(String(cString: $0.pointee.pw_name)))" } ?? "\(user)"
    }

    static func words(group: UInt32) -> String {
        getgrgid(group).map { "\(group) (\(String(cString: $0.pointee.gr_name)))" } ?? "\(group)"
    }

    /// 0 if there is no file.
    static func of(_ path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_mode) & 0o777 : 0
    }

    static func set(_ path: String, to rights: Int) { chmod(path, mode_t(rights)) }

    static func give(_ path: String, user: UInt32, group: UInt32) { chown(path, user, group) }

    static func makeFolder(_ path: String, rights: Int) {
        mkdir(path, 0o700)
        // Whatever the umask is.
        set(path, to: rights)
    }
}
