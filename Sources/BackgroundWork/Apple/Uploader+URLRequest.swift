import BackgroundWorkFoundation

extension Uploader {
    /// The same for a `URLRequest`, whose URL, method, headers, timeout and cellular access are taken over. The file is
    /// the body; the request may have none of its own.
    public func networkResponse(
        from request: URLRequest, uploading file: URL, with identifier: String
    ) async -> NetworkResponse<UploadedFile> {
        guard request.httpBody == nil, request.httpBodyStream == nil, let url = request.url else {
            return .failed(StandaloneTransferError.unsuitableRequest("it must have a URL, and no body beside the file"))
        }
        let method = request.httpMethod ?? "GET"
        var upload = UploadConfiguration(
            url: url.absoluteString, filePath: file.path(percentEncoded: false),
            method: method == "GET" ? "PUT" : method)
        upload.options = TransferOptions(request)
        return await networkResponse(from: upload, with: identifier)
    }
}
