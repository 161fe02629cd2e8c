import BackgroundWorkFoundation
import BackgroundWorkTransfers
import Foundation

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
