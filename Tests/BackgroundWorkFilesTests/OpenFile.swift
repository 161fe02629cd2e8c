import BackgroundWorkSystem

/// A file that is open for reading as long as this exists.
final class OpenFile {
    let descriptor: Int32

    init(_ path: String) { descriptor = open(path, O_RDONLY | O_CLOEXEC) }

    deinit { close(descriptor) }

    var position: Int64 { Int64(lseek(descriptor, 0, SEEK_CUR)) }
}
