#if os(Linux)
import BackgroundWorkTransfers
import CBackgroundWorkCurl
import Glibc

/// One transfer under way: a libcurl handle, what its response says, and the staging file that takes the body.
///
/// Lives on the loop's thread. libcurl calls back into it only from within `CurlMulti.perform()`.
final class Download {
    /// What the download asks of the loop while it runs.
    struct Requests {
        /// A new body begins: record what it belongs to, and call `acceptBody()` when that is durable.
        var record: (Download, RecordedEntity) -> Void
        /// So many bytes have been written; make them durable when convenient.
        var checkpoint: (Download, Int64) -> Void
    }

    /// How the handle ended.
    enum Ending {
        case delivered(bytes: Int64, statusCode: Int, finalURL: String)
        case failed(TransferFailure)
        /// Ask once more for the whole file.
        case askForWhole
    }

    private static let bufferBytes = 256 << 10
    private static let writeBackBytes: Int64 = 8 << 20
    private static let checkpointBytes: Int64 = 64 << 20

    let record: TransferRecord
    private(set) var file: StagingFile
    private(set) var received: Int64
    private(set) var total: Int64?
    let easy: UnsafeMutableRawPointer
    private let requests: Requests
    private let messages: FailureMessages
    /// The byte that was asked for.
    private let offset: Int64
    private var head = ResponseHead()
    private var decision: ResumePolicy.Decision?
    private var isAccepted = false
    private var waitsForRecord = false
    private var buffer: [UInt8] = []
    private var failure: TransferFailure?
    private var refusedAddress: String?
    private var dialledAny = false
    private var writtenBack: Int64 = 0
    private var checkpointed: Int64 = 0
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>

    /// Opens the staging file and prepares the handle. Throws a ``TransferFailure``.
    ///
    /// - Parameter resuming: false to ask for the whole whatever is there.
    init(_ record: TransferRecord, path: String, resuming: Bool, requests: Requests) throws(TransferFailure) {
        self.record = record
        self.requests = requests
        messages = FailureMessages(url: record.specification.url)
        do throws(SystemCallError) {
            file = try StagingFile(path: path)
            let size = try file.size()
            offset = resuming && record.entity?.validator != nil ? size : 0
        } catch {
            throw messages.disk(error)
        }
        guard let easy = bgw_curl_easy_init() else {
            throw messages.network(CurlError(code: 27, reason: "libcurl has no memory for another transfer"))
        }
        self.easy = easy
        received = offset
        total = offset > 0 ? record.entity?.total : nil
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        configure()
    }

    deinit {
        bgw_curl_easy_cleanup(easy)
        bgw_curl_slist_free_all(headers)
        errorText.deallocate()
    }

    /// Whether the bytes on disk are all there are, so that nothing has to be asked for.
    var isWholeAlready: Bool { offset > 0 && total == offset }

    /// The body may be stored now: what it belongs to is recorded.
    func acceptBody() {
        waitsForRecord = false
        do throws(SystemCallError) {
            try file.truncate(to: 0)
            isAccepted = true
        } catch {
            failure = messages.disk(error)
        }
        // Delivers what libcurl held back; the body function is called from within.
        bgw_curl_easy_continue(easy)
    }

    /// The body cannot be stored, because what it belongs to could not be recorded.
    func refuseBody(_ error: any Error) {
        failure = messages.disk(error)
        bgw_curl_easy_continue(easy)
    }

    /// What came of the transfer, once libcurl has ended it.
    func ending(_ result: CURLcode) -> Ending {
        if let failure { return .failed(failure) }
        let decision = decision ?? ResumePolicy.decision(for: head, offset: offset, recorded: record.entity)
        let expectedFile = decision == .append || decision == .startOver
        let wasRedirected = (300..<400).contains(head.status)
        if head.status == 0 || (result != CURLE_OK && (expectedFile || wasRedirected)) {
            return endingWithoutWholeBody(result)
        }
        switch decision {
        case .fail: return .failed(messages.status(head.status))
        case .askForWhole: return .askForWhole
        case .complete: return delivered(bytes: offset)
        case .append, .startOver: return endingOfBody()
        }
    }

    private func endingOfBody() -> Ending {
        do throws(SystemCallError) {
            // An empty body never came to the point of being accepted.
            if decision == nil, offset == 0 || head.status == 200 {
                try file.truncate(to: 0)
                received = 0
            }
            try flush()
        } catch {
            return .failed(messages.disk(error))
        }
        if let promised = ResumePolicy.total(of: head), received != promised {
            return .failed(messages.truncated(received: received, promised: promised))
        }
        return delivered(bytes: received)
    }

    private func endingWithoutWholeBody(_ result: CURLcode) -> Ending {
        // What arrived stays in the file, in case the agent dies before the failure is recorded.
        try? flush()
        if let refusedAddress, !dialledAny { return .failed(messages.refused(address: refusedAddress)) }
        if result == CURLE_PARTIAL_FILE, let promised = ResumePolicy.total(of: head) {
            return .failed(messages.truncated(received: received, promised: promised))
        }
        let detail = String(cString: errorText)
        let reason = detail.isEmpty ? String(cString: bgw_curl_easy_strerror(result)) : detail
        return .failed(messages.network(CurlError(code: result.rawValue, reason: reason)))
    }

    private func delivered(bytes: Int64) -> Ending {
        var url: UnsafePointer<CChar>?
        bgw_curl_get_string(easy, CURLINFO_EFFECTIVE_URL, &url)
        let final = url.map { String(cString: $0) } ?? record.specification.url
        return .delivered(
            bytes: bytes, statusCode: head.status == 416 ? 206 : head.status, finalURL: RedactedURL(final).description)
    }

    // MARK: What libcurl calls

    func takeHeader(_ bytes: UnsafeRawBufferPointer) {
        var line = Substring(String(decoding: bytes, as: UTF8.self))
        while let last = line.last, last.isNewline { line = line.dropLast() }
        if !line.isEmpty { head.add(line: line) }
    }

    /// How many bytes were taken; `CURL_WRITEFUNC_PAUSE` to get them again later, anything else ends the transfer.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        if failure != nil { return 0 }
        let pause = Int(CURL_WRITEFUNC_PAUSE)
        if waitsForRecord { return pause }
        if decision == nil {
            let decided = ResumePolicy.decision(for: head, offset: offset, recorded: record.entity)
            decision = decided
            switch decided {
            case .append:
                isAccepted = true
                (writtenBack, checkpointed) = (offset, offset)
            case .startOver:
                received = 0
                total = ResumePolicy.total(of: head)
                waitsForRecord = true
                requests.record(self, RecordedEntity(validator: head.validator, total: total))
                return pause
            case .complete, .askForWhole, .fail: return 0
            }
        }
        guard isAccepted else { return 0 }
        return store(bytes)
    }

    private func store(_ bytes: UnsafeRawBufferPointer) -> Int {
        buffer.append(contentsOf: bytes)
        do throws(SystemCallError) {
            if buffer.count >= Self.bufferBytes { try flush() }
        } catch {
            failure = messages.disk(error)
            return 0
        }
        return bytes.count
    }

    /// Writes what has arrived so far, so that nothing that has been received is lost with this process. A failure ends
    /// the transfer with the next bytes.
    func storeReceived() {
        guard failure == nil else { return }
        do throws(SystemCallError) {
            try flush()
        } catch {
            failure = messages.disk(error)
        }
    }

    /// Writes what has been gathered, and begins to bring it to the disk early, so that the end does not wait for it.
    private func flush() throws(SystemCallError) {
        guard !buffer.isEmpty else { return }
        let result = buffer.withUnsafeBytes { bytes -> Result<Void, SystemCallError> in
            do throws(SystemCallError) {
                try file.write(bytes, at: received)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        received += Int64(buffer.count)
        buffer.removeAll(keepingCapacity: true)
        if received - writtenBack >= Self.writeBackBytes {
            file.beginWriteBack(from: writtenBack, bytes: received - writtenBack)
            writtenBack = received
        }
        if received - checkpointed >= Self.checkpointBytes {
            checkpointed = received
            requests.checkpoint(self, received)
        }
    }

    /// The socket for an address that the policy allows; -1 otherwise.
    func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        if record.specification.addressPolicy == .publicInternet {
            var bytes = [UInt8](repeating: 0, count: 16)
            let count = Int(bgw_curl_address_bytes(address, &bytes))
            let isPublic =
                count == 4
                ? AddressRules.isPublic(ipv4: Array(bytes.prefix(4)))
                : count == 16 && AddressRules.isPublic(ipv6: bytes)
            guard isPublic else {
                refusedAddress = AddressText.text(Array(bytes.prefix(count)))
                return curl_socket_t(-1)
            }
        }
        dialledAny = true
        return socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
            address.pointee.protocol)
    }

    // MARK: The handle

    private func configure() {
        let specification = record.specification
        let context = Unmanaged.passUnretained(self).toOpaque()
        bgw_curl_set_string(easy, CURLOPT_URL, specification.url)
        bgw_curl_set_body_function(easy, DownloadCallbacks.body, context)
        bgw_curl_set_header_function(easy, DownloadCallbacks.header, context)
        bgw_curl_set_socket_function(easy, DownloadCallbacks.socket, context)
        bgw_curl_set_error_buffer(easy, errorText)
        bgw_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        bgw_curl_set_long(easy, CURLOPT_BUFFERSIZE, 512 << 10)
        bgw_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 1)
        bgw_curl_set_long(easy, CURLOPT_MAXREDIRS, 10)
        bgw_curl_allow_web_protocols(easy, specification.url.lowercased().hasPrefix("https:") ? 1 : 0)
        bgw_curl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1)
        bgw_curl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2)
        bgw_curl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        // Behind a proxy the dialled address would be the proxy's, and the address policy could not be enforced.
        bgw_curl_set_string(easy, CURLOPT_PROXY, "")
        // libcurl counts the stall in whole seconds.
        let seconds = max(1, Int((specification.stallTimeoutMs + 999) / 1000))
        bgw_curl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
        bgw_curl_set_long(easy, CURLOPT_LOW_SPEED_TIME, seconds)
        bgw_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(min(specification.stallTimeoutMs, 60_000)))
        bgw_curl_leave_resolver_behind(easy)
        for header in RequestHeaders(specification, offset: offset, validator: record.entity?.validator).lines {
            headers = bgw_curl_slist_append(headers, header)
        }
        bgw_curl_set_headers(easy, headers)
    }
}
#endif
