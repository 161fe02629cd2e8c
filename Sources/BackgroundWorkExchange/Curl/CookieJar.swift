import CBackgroundWorkCurl

/// Cookies in memory, shared by the exchanges that are given them. Lives on the network loop's thread; the exchanges must
/// not outlive it.
package final class CookieJar {
    private let share: UnsafeMutableRawPointer

    /// After libcurl was loaded; `nil` when there is no memory.
    package init?() {
        guard let share = bgw_curl_make_cookie_share() else { return nil }
        self.share = share
    }

    deinit { bgw_curl_share_cleanup(share) }

    func serve(_ handle: UnsafeMutableRawPointer) { bgw_curl_set_cookie_share(handle, share) }
}
