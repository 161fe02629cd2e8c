/// The wish to be launched when a file is not any more what it was, and no process is there to see it.
package struct FileWakeRequest: Sendable, Hashable, Codable {
    /// Absolute.
    package var path: String
    /// As the host saw it last (`FileStamp.stored(path:)`). Another one now is a change, whenever it was made.
    package var stamp: String

    package init(path: String, stamp: String) {
        self.path = path
        self.stamp = stamp
    }
}
