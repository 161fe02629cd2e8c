import BackgroundWorkFoundation

extension Downloader {
    /// The same for a `URLRequest` without a body, whose URL, headers, timeout and cellular access are taken over.
    ///
    /// Only where Foundation has `URLRequest` itself: elsewhere it would bring a second networking library into the
    /// process.
    public func networkResponse(
        from request: URLRequest, savingTo file: URL, with identifier: String
    ) async -> NetworkResponse<DownloadedFile> {
        guard request.httpMethod == nil || request.httpMethod == "GET", request.httpBody == nil,
            request.httpBodyStream == nil, let url = request.url
        else { return .failed(StandaloneTransferError.unsuitableRequest("it must be a GET of a URL, without a body")) }
        var download = DownloadConfiguration(
            url: url.absoluteString, savePath: file.path(percentEncoded: false))
        download.options = TransferOptions(request)
        return await networkResponse(from: download, with: identifier)
    }
}
