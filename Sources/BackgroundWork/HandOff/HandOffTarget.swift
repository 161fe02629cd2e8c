/// Where a download is to go, as the disk shows it at hand-off.
struct HandOffTarget: Sendable, Hashable {
    /// Ends in `/` for a folder.
    var path: String
    /// The length of what stands there already; `nil` for a free name and for a folder.
    var takenBytes: Int64?
    /// Of the volume on which it lies; `nil` for the root's.
    var mountPoint: String?

    var isFolder: Bool { path.hasSuffix("/") }
}
