import Synchronization

/// The uploads that a path has received.
final class UploadShelf: Sendable {
    /// How many bytes of each upload are kept.
    let limit: Int
    private let contents = Mutex<[ReceivedUpload]>([])

    init(keeping limit: Int) { self.limit = limit }

    var uploads: [ReceivedUpload] { contents.withLock { $0 } }

    func add(_ upload: ReceivedUpload) { contents.withLock { $0.append(upload) } }
}
