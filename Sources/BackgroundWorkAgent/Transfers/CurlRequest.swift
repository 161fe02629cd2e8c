#if os(Linux)
import BackgroundWorkTransfers
import CBackgroundWorkCurl
import Glibc

/// One HTTP exchange of libcurl's: the easy handle, its options, and its memory.
final class CurlRequest {
    static let maximumRedirects = 10
    private static let errorBytes = 256

    let handle: UnsafeMutableRawPointer
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>

    /// `receiver` must outlive the request: libcurl's callbacks are given it unretained.
    init?(
        specification: TransferSpecification, headerLines: [String], bufferBytes: Int, receiver: TransferReceiver
    ) {
        guard let handle = bgw_curl_easy_init() else { return nil }
        self.handle = handle
        errorText = .allocate(capacity: Self.errorBytes)
        errorText.initialize(repeating: 0, count: Self.errorBytes)
        for line in headerLines { headers = bgw_curl_slist_append(headers, line) ?? headers }
        bgw_curl_set_error_buffer(handle, errorText)
        bgw_curl_set_headers(handle, headers)
        bgw_curl_set_string(handle, CURLOPT_URL, specification.url)
        setTransport(specification, bufferBytes: bufferBytes)
        setRedirects(from: specification.url)
        setTLS()
        let context = Unmanaged.passUnretained(receiver).toOpaque()
        bgw_curl_set_body_function(handle, CurlCallbacks.body, context)
        bgw_curl_set_header_function(handle, CurlCallbacks.header, context)
        bgw_curl_set_socket_function(handle, CurlCallbacks.socket, context)
    }

    deinit {
        bgw_curl_easy_cleanup(handle)
        bgw_curl_slist_free_all(headers)
        errorText.deallocate()
    }

    private func setTransport(_ specification: TransferSpecification, bufferBytes: Int) {
        bgw_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        bgw_curl_leave_resolver_behind(handle)
        // Through a proxy the address that is dialled would be the proxy's, and the policy could not be enforced. So
        // none is used, whatever the environment says.
        bgw_curl_set_string(handle, CURLOPT_PROXY, "")
        // One file a connection: nothing is gained by HTTP/2, whose windows would have to be buffered.
        bgw_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        bgw_curl_set_long(handle, CURLOPT_BUFFERSIZE, bufferBytes)
        bgw_curl_set_long(
            handle, CURLOPT_CONNECTTIMEOUT_MS, Int(min(max(specification.stallTimeoutMs, 1), 60_000)))
        // The policy is enforced when a socket is opened. A connection that was dialled without it must not be kept
        // for a transfer that has it.
        if specification.addressPolicy == .unrestricted { bgw_curl_set_long(handle, CURLOPT_FORBID_REUSE, 1) }
    }

    private func setRedirects(from url: String) {
        bgw_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 1)
        bgw_curl_set_long(handle, CURLOPT_MAXREDIRS, Self.maximumRedirects)
        bgw_curl_allow_web_protocols(handle, TransferURL(url).scheme == "https" ? 1 : 0)
    }

    private func setTLS() {
        bgw_curl_set_long(handle, CURLOPT_SSL_VERIFYPEER, 1)
        bgw_curl_set_long(handle, CURLOPT_SSL_VERIFYHOST, 2)
        bgw_curl_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    }

    /// From here on redirects may only lead to https. For a chain of them that has reached https.
    func forbidPlainRedirects() { bgw_curl_allow_web_protocols(handle, 1) }

    /// Goes on after a callback has paused. Callbacks may run inside.
    func goOn() { bgw_curl_easy_continue(handle) }

    var redirects: Int {
        var count = 0
        bgw_curl_get_long(handle, CURLINFO_REDIRECT_COUNT, &count)
        return count
    }

    /// The URL that answered, after redirects.
    var effectiveURL: String {
        var url: UnsafePointer<CChar>?
        bgw_curl_get_string(handle, CURLINFO_EFFECTIVE_URL, &url)
        return url.map { String(cString: $0) } ?? ""
    }

    /// libcurl's words for what went wrong.
    func detail(of code: CURLcode) -> String {
        let text = String(cString: errorText)
        if !text.isEmpty { return text }
        return bgw_curl_easy_strerror(code).map { String(cString: $0) } ?? "libcurl error \(code.rawValue)"
    }
}
#endif
