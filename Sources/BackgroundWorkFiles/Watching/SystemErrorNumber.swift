#if os(Linux)
/// What a system call left in errno.
struct SystemErrorNumber: Error, Hashable {
    let code: Int32
}
#endif
