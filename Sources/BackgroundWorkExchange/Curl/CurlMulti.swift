import BackgroundWorkTransfers
import CBackgroundWorkCurl
import CBackgroundWorkLinux

/// libcurl's multi interface. Lives on the network loop's thread.
package final class CurlMulti {
    private let multi: UnsafeMutableRawPointer
    private var exchanges: [UnsafeMutableRawPointer: Exchange] = [:]

    /// Loads libcurl, unless it is loaded already. Throws an error that says what to install when that fails.
    package init() throws(CurlMissingError) {
        var message: UnsafePointer<CChar>?
        guard bgw_curl_load(&message) == 0 else {
            throw CurlMissingError(description: message.map { String(cString: $0) } ?? "libcurl could not be loaded")
        }
        bgw_read_names_as_utf8()
        guard let multi = bgw_curl_multi_init() else {
            throw CurlMissingError(description: "libcurl could not be set up: out of memory")
        }
        self.multi = multi
    }

    /// The same for a request to a URL, whose failure it is when libcurl is missing.
    package static func loaded(for url: TransferURL) throws(TransferFailure) -> CurlMulti {
        do throws(CurlMissingError) { return try CurlMulti() } catch { throw .network("\(error)", url) }
    }

    deinit { bgw_curl_multi_cleanup(multi) }

    /// Whether there is no active exchange.
    package var isEmpty: Bool { exchanges.isEmpty }
    package var running: some Collection<Exchange> { exchanges.values }

    package func add(_ exchange: Exchange) {
        guard let handle = exchange.handle else { return }
        exchanges[handle] = exchange
        bgw_curl_multi_add_handle(multi, handle)
    }

    /// Removes an exchange, ended or not; does nothing for an unknown one.
    package func remove(_ exchange: Exchange) {
        guard let handle = exchange.handle, exchanges.removeValue(forKey: handle) != nil else { return }
        bgw_curl_multi_remove_handle(multi, handle)
    }

    package func perform() {
        var running: Int32 = 0
        bgw_curl_multi_perform(multi, &running)
    }

    /// Removes and returns an exchange that libcurl has ended. One that only connects stays here when it has succeeded,
    /// since its connection would end with that.
    package func nextDone() -> (exchange: Exchange, code: CURLcode)? {
        var code = CURLE_OK
        while let handle = bgw_curl_multi_next_done(multi, &code) {
            guard let exchange = exchanges[handle] else { continue }
            if exchange.plan.connectsOnly, code == CURLE_OK { return (exchange, code) }
            exchanges[handle] = nil
            bgw_curl_multi_remove_handle(multi, handle)
            return (exchange, code)
        }
        return nil
    }

    package func poll(_ watched: inout [curl_waitfd], milliseconds: Int32) {
        _ = watched.withUnsafeMutableBufferPointer {
            bgw_curl_multi_poll(multi, $0.baseAddress, UInt32($0.count), milliseconds)
        }
    }
}

/// libcurl is missing or not usable. The description says what to install.
package struct CurlMissingError: Error, CustomStringConvertible {
    package var description: String
}
