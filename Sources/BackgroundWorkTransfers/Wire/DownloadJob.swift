/// What is particular to a download.
package struct DownloadJob: Sendable, Hashable, Codable {
    package var checksum: FileChecksum?
    package var onDuplicate = DuplicatePolicy.overwrite
    package var maxBytes: Int64?
    package var isResumable = true
    package var mirrors: [String] = []
    package var connections = ConnectionPlan.standard
    /// Whether `savePath` is a folder, and the file gets the name that the server suggests. It ends in `/` then.
    package var savesIntoFolder = false
    /// Where the volume of `savePath` was mounted at hand-off; `nil` for the root's.
    package var mountPoint: String?

    package init() {}
}
