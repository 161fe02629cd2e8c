#if os(Linux)
import CBackgroundWorkCurl

/// libcurl's multi handle: all transfers of the agent on one thread.
final class CurlMulti {
    struct Unavailable: Error, CustomStringConvertible {
        var description: String
    }

    private let handle: OpaquePointer

    /// Loads libcurl if that has not happened yet.
    init() throws(Unavailable) {
        var reason: UnsafePointer<CChar>?
        guard bgw_curl_load(&reason) == 0 else {
            throw Unavailable(description: reason.map { String(cString: $0) } ?? "libcurl could not be loaded")
        }
        guard let handle = bgw_curl_multi_init() else {
            throw Unavailable(description: "libcurl has no memory for another transfer")
        }
        self.handle = OpaquePointer(handle)
    }

    deinit { bgw_curl_multi_cleanup(UnsafeMutableRawPointer(handle)) }

    func add(_ easy: UnsafeMutableRawPointer) { bgw_curl_multi_add_handle(UnsafeMutableRawPointer(handle), easy) }

    func remove(_ easy: UnsafeMutableRawPointer) {
        bgw_curl_multi_remove_handle(UnsafeMutableRawPointer(handle), easy)
    }

    /// Moves every transfer on as far as it goes without waiting.
    func perform() {
        var running: Int32 = 0
        bgw_curl_multi_perform(UnsafeMutableRawPointer(handle), &running)
    }

    /// Waits for the transfers and for further descriptors together.
    func poll(_ extra: inout [curl_waitfd], milliseconds: Int32) {
        bgw_curl_multi_poll(UnsafeMutableRawPointer(handle), &extra, UInt32(extra.count), milliseconds)
    }

    /// A transfer that has ended since, with libcurl's result.
    func nextEnded() -> (easy: UnsafeMutableRawPointer, result: CURLcode)? {
        var result = CURLE_OK
        guard let easy = bgw_curl_multi_next_done(UnsafeMutableRawPointer(handle), &result) else { return nil }
        return (easy, result)
    }
}
#endif
