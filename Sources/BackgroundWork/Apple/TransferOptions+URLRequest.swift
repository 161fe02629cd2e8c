import BackgroundWorkTransfers
import Foundation

// Where Linux's compiler checks this file.
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransferOptions {
    /// What a request says of how it travels.
    init(_ request: URLRequest) {
        self.init()
        headers = request.allHTTPHeaderFields ?? [:]
        stallTimeout = .seconds(request.timeoutInterval)
        allowsCellularAccess = request.allowsCellularAccess
    }
}
