import BackgroundWorkSystem

extension LinkFreePath {
    /// As open(2), and fails where a component is a link.
    static func open(_ path: String, _ flags: Int32) -> Int32 {
        BackgroundWorkSystem.open(path, flags | O_NOFOLLOW_ANY)
    }

    /// The same for a folder.
    static func openFolder(_ path: String) -> Int32 { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }

    /// A folder in an open one. -1 if there is a link at the name.
    static func openFolder(_ name: String, in folder: Int32) -> Int32 {
        openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
}
