import BackgroundWorkFoundation
import BackgroundWorkTransfers
import Foundation

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

extension TransferOptions {
    /// What a request says of how it travels.
    init(_ request: URLRequest) {
        self.init()
        headers = request.allHTTPHeaderFields ?? [:]
        stallTimeout = Duration(clamping: request.timeoutInterval)
        allowsCellularAccess = request.allowsCellularAccess
    }
}

extension DownloadedFile {
    /// The server's answer: its status, the headers that were kept, and the URL without the query. `nil` when no server
    /// was asked.
    public var response: HTTPURLResponse? { HTTPURLResponse(source, statusCode, headers) }
}

extension UploadedFile {
    /// The server's answer: its status, the headers that were kept, and the URL without the query.
    public var response: HTTPURLResponse? { HTTPURLResponse(target, statusCode, headers) }
}

extension HTTPURLResponse {
    fileprivate convenience init?(_ url: String?, _ statusCode: Int?, _ headers: [String: String]) {
        guard let url = url.flatMap({ URL(string: $0) }), let statusCode else { return nil }
        self.init(url: url, statusCode: statusCode, httpVersion: nil, headerFields: headers)
    }
}
