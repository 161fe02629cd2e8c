import BackgroundWorkFoundation
import Synchronization

/// The body of a PUT or POST as a local server received it.
public struct ReceivedUpload: Sendable, Hashable {
    /// The request's ``LoggedRequest/ordinal``.
    public let ordinal: Int
    /// `PUT` or `POST`.
    public let method: String
    /// The request's headers, names in lower case.
    public let headers: [String: String]
    /// How many bytes arrived, without the bytes of the chunked coding.
    public let byteCount: Int64
    /// The first bytes of the body, all of them unless there were more than the server keeps.
    public let bytes: [UInt8]
    /// The SHA-256 of all that arrived, as 64 lowercase hexadecimal digits.
    public let sha256: String
    /// Whether the whole body arrived.
    public let isComplete: Bool

    /// The parts of a `multipart/form-data` body (RFC 7578), in their order.
    ///
    /// Throws ``FormError`` when it is not such a body, is malformed, or was not kept completely.
    public func formParts() throws -> [FormPart] {
        guard let type = headers["content-type"], type.lowercased().hasPrefix("multipart/form-data"),
            let boundary = HeaderParameters(type)["boundary"], !boundary.isEmpty
        else { throw FormError.notAForm(contentType: headers["content-type"]) }
        guard isComplete, byteCount == bytes.count else {
            throw FormError.notWhole(received: byteCount, kept: bytes.count)
        }
        return try FormReader(bytes, boundary: boundary).parts()
    }
}

/// A field or a file of a form.
public struct FormPart: Sendable, Hashable {
    /// The field's name.
    public let name: String
    /// The file's name; `nil` for a field that is not a file.
    public let filename: String?
    /// The part's `Content-Type`.
    public let contentType: String?
    /// The part's headers, names in lower case.
    public let headers: [String: String]
    /// The content.
    public let bytes: [UInt8]

    /// The content as UTF-8.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// An upload has no readable form.
public enum FormError: Error, Hashable, CustomStringConvertible {
    /// The `Content-Type` is not `multipart/form-data` with a boundary.
    case notAForm(contentType: String?)
    /// The body did not arrive completely, or the server has not kept all of it.
    case notWhole(received: Int64, kept: Int)
    /// The body breaks the format's rules.
    case malformed(String)

    /// What is wrong.
    public var description: String {
        switch self {
        case .notAForm(let type): "The upload is not a form: its Content-Type is \(type ?? "not given")"
        case .notWhole(let received, let kept):
            "The form is not complete: \(received) bytes arrived, \(kept) of them were kept"
        case .malformed(let what): "The form is malformed: \(what)"
        }
    }
}

extension FormError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

/// The uploads that a path has received.
final class UploadShelf: Sendable {
    /// How many bytes of each upload are kept.
    let limit: Int
    private let contents = Mutex<[ReceivedUpload]>([])

    init(keeping limit: Int) { self.limit = limit }

    var uploads: [ReceivedUpload] { contents.withLock { $0 } }

    func add(_ upload: ReceivedUpload) { contents.withLock { $0.append(upload) } }
}
