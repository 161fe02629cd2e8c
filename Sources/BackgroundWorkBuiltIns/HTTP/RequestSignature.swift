import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkHTTP
import BackgroundWorkModel
import BackgroundWorkTransfers
import Dispatch
import Synchronization

extension RequestSigning {
    private static let queue = DispatchQueue(label: "BackgroundWork.Signatures", attributes: .concurrent)
    /// A file is read in pieces of this many bytes.
    private static let pieceBytes = 256 << 10

    /// The request with its signature. A form's file is read once for it, and must be open.
    ///
    /// Throws a ``TransferFailure`` for a body that cannot be read twice, an ``HTTPError`` for a file that cannot be read, a
    /// `DigestError`, and a `CancellationError` when the task is cancelled.
    func signed(_ request: HTTPRequest, at time: Date) async throws -> HTTPRequest {
        let timestamp = timestampHeaderName == nil ? "" : "\(WallTime(time).milliseconds / 1000)"
        let beginning = "\(request.method)\n\(request.url.prefix { $0 != "#" })\n"
        let (body, key) = (try SignedBody(request), key)
        let isCancelled = Mutex(false)
        let code = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
                Self.queue.async {
                    continuation.resume(
                        with: Result {
                            let code = try HMAC(key: key.utf8)
                            code.update(Array(beginning.utf8))
                            try body.forEachPiece(of: Self.pieceBytes) { piece in
                                if isCancelled.withLock({ $0 }) { throw CancellationError() }
                                code.update(piece)
                            }
                            code.update(Array("\n\(timestamp)".utf8))
                            return try code.finish()
                        })
                }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        var signed = request
        signed.headers[headerName] = prefix + code
        if let timestampHeaderName { signed.headers[timestampHeaderName] = timestamp }
        signed.ownOriginHeaders.formUnion(headerNames)
        return signed
    }
}

/// A body whose bytes are known before it is sent.
private enum SignedBody: Sendable {
    case bytes(Data)
    case form(SourceFile, MultipartForm)

    init(_ request: HTTPRequest) throws(TransferFailure) {
        switch request.body {
        case .bytes(let bytes): self = .bytes(bytes)
        case nil: self = .bytes(Data())
        case .form(let form):
            if let file = form.file {
                self = .form(file, form.frame)
                return
            }
            fallthrough
        case .file, .stream:
            throw TransferFailure.invalid(
                "a body whose bytes are not known before it is sent cannot be signed",
                TransferURL(request.url, method: request.method))
        }
    }

    /// Blocks.
    func forEachPiece(of bytes: Int, _ take: (Data) throws -> Void) throws {
        switch self {
        case .bytes(let bytes): try take(bytes)
        case .form(let file, let frame):
            try take(Data(frame.head))
            var offset: Int64 = 0
            while offset < file.bytes {
                let piece = try file.read(at: offset, atMost: Int(min(Int64(bytes), file.bytes - offset)))
                try take(piece)
                offset += Int64(piece.count)
            }
            try take(Data(frame.tail))
        }
    }
}
