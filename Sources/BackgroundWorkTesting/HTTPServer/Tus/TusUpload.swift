/// An upload of the tus protocol as a local server has it.
public struct TusUpload: Sendable, Hashable {
    /// Where it is: the path of its endpoint, and a number that counts the endpoint's uploads from 1.
    public let path: String
    /// The `Upload-Length`.
    public let length: Int64
    /// The `Upload-Metadata` decoded; a key without a value has an empty one.
    public let metadata: [String: String]
    /// The bytes so far; as many as the `Upload-Offset` says.
    public internal(set) var bytes: [UInt8] = []
    /// The status that requests for it are answered since it is gone, 404 or 410; `nil` while it is there.
    public internal(set) var goneStatus: Int?

    /// The `Upload-Metadata` as it was sent.
    let metadataHeader: String?

    /// Whether all bytes are there.
    public var isComplete: Bool { bytes.count == length }
}
