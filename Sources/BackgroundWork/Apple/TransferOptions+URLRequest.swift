import BackgroundWorkFoundation
import BackgroundWorkTransfers

extension TransferOptions {
    /// What a request says of how it travels.
    init(_ request: URLRequest) {
        self.init()
        headers = request.allHTTPHeaderFields ?? [:]
        stallTimeout = Duration(clamping: request.timeoutInterval)
        allowsCellularAccess = request.allowsCellularAccess
    }
}
