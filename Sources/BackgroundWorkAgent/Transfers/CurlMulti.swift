#if os(Linux)
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// libcurl's multi interface. Lives on the network loop's thread.
final class CurlMulti {
    private let handle: UnsafeMutableRawPointer

    /// Loads libcurl, if nothing has yet. Throws with what to install when that fails.
    init() throws(CurlMissingError) {
        var message: UnsafePointer<CChar>?
        guard bgw_curl_load(&message) == 0 else {
            throw CurlMissingError(description: message.map { String(cString: $0) } ?? "libcurl could not be loaded")
        }
        guard let handle = bgw_curl_multi_init() else {
            throw CurlMissingError(description: "libcurl could not be set up: out of memory")
        }
        self.handle = handle
    }

    deinit { bgw_curl_multi_cleanup(handle) }

    func add(_ request: CurlRequest) { bgw_curl_multi_add_handle(handle, request.handle) }

    func remove(_ request: CurlRequest) { bgw_curl_multi_remove_handle(handle, request.handle) }

    func perform() {
        var running: Int32 = 0
        bgw_curl_multi_perform(handle, &running)
    }

    func nextDone() -> (handle: UnsafeMutableRawPointer, code: CURLcode)? {
        var code = CURLE_OK
        return bgw_curl_multi_next_done(handle, &code).map { ($0, code) }
    }

    func poll(_ watched: inout [curl_waitfd], milliseconds: Int32) {
        _ = watched.withUnsafeMutableBufferPointer {
            bgw_curl_multi_poll(handle, $0.baseAddress, UInt32($0.count), milliseconds)
        }
    }
}
#endif
