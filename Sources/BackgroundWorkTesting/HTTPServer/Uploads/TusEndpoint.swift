import Synchronization

/// The uploads of one endpoint of the tus protocol.
final class TusEndpoint: Sendable {
    let path: String
    /// The largest `Upload-Length` that is accepted.
    let maximumBytes: Int64
    private let contents = Mutex<[TusUpload]>([])

    init(path: String, maximumBytes: Int64) {
        self.path = path
        self.maximumBytes = maximumBytes
    }

    var uploads: [TusUpload] { contents.withLock { $0 } }

    func create(length: Int64, metadata: [String: String], header: String?) -> TusUpload {
        contents.withLock { uploads in
            let path = "\(path)/\(uploads.count + 1)"
            let upload = TusUpload(path: path, length: length, metadata: metadata, metadataHeader: header)
            uploads.append(upload)
            return upload
        }
    }

    func upload(_ name: String) -> TusUpload? {
        contents.withLock { uploads in Self.index(name, in: uploads).map { uploads[$0] } }
    }

    /// Adds bytes at this offset; false when that is no longer the upload's end, since another request has added to
    /// it, or when the upload is gone.
    func append(_ bytes: [UInt8], at offset: Int64, to name: String) -> Bool {
        contents.withLock { uploads in
            guard let index = Self.index(name, in: uploads), uploads[index].goneStatus == nil,
                uploads[index].bytes.count == offset, offset + Int64(bytes.count) <= uploads[index].length
            else { return false }
            uploads[index].bytes += bytes
            return true
        }
    }

    func remove(_ name: String, status: Int) {
        contents.withLock { uploads in
            if let index = Self.index(name, in: uploads) { uploads[index].goneStatus = status }
        }
    }

    private static func index(_ name: String, in uploads: [TusUpload]) -> Int? {
        guard let number = Int(name), uploads.indices.contains(number - 1) else { return nil }
        return number - 1
    }
}

/// An upload of the tus protocol, as stored by a local server.
public struct TusUpload: Sendable, Hashable {
    /// Its path: the path of its endpoint, and a number that counts the endpoint's uploads from 1.
    public let path: String
    /// The `Upload-Length`.
    public let length: Int64
    /// The `Upload-Metadata` decoded; a key without a value has an empty one.
    public let metadata: [String: String]
    /// The bytes so far; their number is the `Upload-Offset`.
    public internal(set) var bytes: [UInt8] = []
    /// The status of answers after the upload is gone, 404 or 410; `nil` while it exists.
    public internal(set) var goneStatus: Int?

    /// The `Upload-Metadata` as it was sent.
    let metadataHeader: String?

    /// Whether all bytes have arrived.
    public var isComplete: Bool { bytes.count == length }
}
