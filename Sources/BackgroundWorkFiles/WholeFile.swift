import BackgroundWorkSystem

/// Reads files that are always replaced as a whole, and so never change while they are open.
package enum WholeFile {
    /// The file's bytes, as many as it had when it was opened; `nil` if there is none. Throws for a path that is not a
    /// regular file.
    package static func read(_ path: String) throws -> [UInt8]? {
        // Non-blocking: opening a named pipe would wait for a writer.
        let descriptor = SystemCall.repeated { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw FileError(action: "open", path: path, code: errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError(action: "read", path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileError.notRegular(action: "read", path: path)
        }
        return try [UInt8](unsafeUninitializedCapacity: max(0, Int(status.st_size))) { buffer, count in
            while count < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(buffer)[count...]
                let got = piece(of: descriptor, into: UnsafeMutableRawBufferPointer(rebasing: rest))
                if got == 0 { return }
                if got > 0 {
                    count += got
                } else if errno != EINTR {
                    throw FileError(action: "read", path: path, code: errno)
                }
            }
        }
    }

    private static func piece(of descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        BackgroundWorkSystem.read(descriptor, buffer.baseAddress, buffer.count)
    }
}
