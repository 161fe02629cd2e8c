import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkHTTP
import BackgroundWorkModel
import BackgroundWorkTransfers

extension RequestSigning {
    /// The request with its signature. Throws a ``TransferFailure`` for a body that cannot be read twice.
    func signed(_ request: HTTPRequest, at time: Date) throws -> HTTPRequest {
        let timestamp = timestampHeaderName == nil ? "" : "\(WallTime(time).milliseconds / 1000)"
        let code = try HMAC(key: key.utf8)
        code.update(Array("\(request.method)\n\(request.url.prefix { $0 != "#" })\n".utf8))
        switch request.body {
        case .bytes(let bytes): code.update(bytes)
        case nil: break
        case .file, .stream:
            throw TransferFailure.invalid(
                "a body that is sent from a file or a stream cannot be signed",
                TransferURL(request.url, method: request.method))
        }
        code.update(Array("\n\(timestamp)".utf8))
        var signed = request
        signed.headers[headerName] = prefix + (try code.finish())
        if let timestampHeaderName { signed.headers[timestampHeaderName] = timestamp }
        signed.ownOriginHeaders.formUnion(headerNames)
        return signed
    }
}
