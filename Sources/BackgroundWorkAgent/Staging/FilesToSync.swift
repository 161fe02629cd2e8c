#if os(Linux)
/// What a job needs to be on the disk before it is recorded.
struct FilesToSync: Sendable {
    static let none = FilesToSync(file: nil, syncsFolder: false)

    /// The staging file whose bytes are meant.
    var file: StagingFile?
    /// Whether its name must be durable as well.
    var syncsFolder: Bool
    /// A mark file that is of no more use once the bytes are on the disk.
    var marksPath: String?
}
#endif
