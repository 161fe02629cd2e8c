#if os(Linux)
/// An event of inotify(7).
struct InotifyEvent {
    let watch: Int32
    let mask: UInt32
    /// The name of the entry that it is about; empty if it is about the watched file or folder itself.
    let name: [UInt8]
}
#endif
