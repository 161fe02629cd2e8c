/// A file that is to be sent, told apart from any later state of it.
package struct UploadSource: Sendable, Hashable, Codable {
    package var path: String
    package var bytes: Int64
    package var modifiedNs: Int64
    package var inode: UInt64
    package var device: UInt64

    package init(path: String, bytes: Int64, modifiedNs: Int64, inode: UInt64, device: UInt64) {
        self.path = path
        self.bytes = bytes
        self.modifiedNs = modifiedNs
        self.inode = inode
        self.device = device
    }
}
