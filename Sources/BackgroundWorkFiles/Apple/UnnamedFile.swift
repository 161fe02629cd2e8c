import BackgroundWorkSystem

/// Files without a name, which Apple's platforms do not have.
enum UnnamedFile {
    static func create(in folder: Int32) -> Int32 {
        errno = ENOTSUP
        return -1
    }

    static func name(_ file: Int32, _ name: String, in folder: Int32) -> Int32 {
        errno = ENOTSUP
        return -1
    }
}
