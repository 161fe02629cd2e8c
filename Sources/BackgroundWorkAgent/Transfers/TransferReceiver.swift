#if os(Linux)
import BackgroundWorkTransfers

/// Takes in what libcurl delivers of one exchange: says which addresses may be dialled, reads the head, judges it, and
/// passes the body on to the transfer.
final class TransferReceiver {
    /// Where the request started in the file.
    let offset: Int64
    private(set) var headers = ResponseHeaders()
    /// `nil` until the body has begun.
    private(set) var verdict: ResponseVerdict?
    /// What made the agent itself break the exchange off.
    private(set) var failure: TransferFailure?
    /// Whether a body's first bytes were let through to the file.
    private(set) var isAdmitted = false
    private(set) var isPaused = false
    private(set) var lastByteAt = SuspendingClock.now
    private var refusedAddress: String?
    private var hasDialled = false
    private unowned let transfer: ActiveTransfer
    weak var request: CurlRequest?

    init(transfer: ActiveTransfer, offset: Int64) {
        self.transfer = transfer
        self.offset = offset
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> TransferReceiver? {
        context.map { Unmanaged<TransferReceiver>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The address that the policy forbade, if nothing else could be dialled instead.
    var decisiveRefusal: String? { hasDialled ? nil : refusedAddress }

    func mayDial(_ address: DialledAddress) -> Bool {
        guard transfer.specification.addressPolicy == .unrestricted || address.isPublic else {
            refusedAddress = address.text
            return false
        }
        hasDialled = true
        return true
    }

    func receive(headerLine line: String) {
        lastByteAt = .now
        headers.add(line: line)
        guard line.hasPrefix("HTTP/") else { return }
        // A redirect is dialled, and refused, on its own account.
        refusedAddress = nil
        hasDialled = false
        if (300...399).contains(headers.status), let request, request.effectiveURL.lowercased().hasPrefix("https:") {
            request.forbidPlainRedirects()
        }
    }

    /// Returns what libcurl is to be told: all bytes taken, none (which ends the exchange), or wait.
    func receive(body bytes: UnsafeRawBufferPointer) -> Int {
        lastByteAt = .now
        let breakOff = bytes.count == 0 ? -1 : 0
        switch judge() {
        case .append, .writeFromZero: break
        case .complete, .askForWhole, .fail: return breakOff
        }
        do {
            if !isAdmitted {
                guard try transfer.admitBody(to: self) else {
                    isPaused = true
                    // CURL_WRITEFUNC_PAUSE, which Swift does not import.
                    return 0x1000_0001
                }
                isAdmitted = true
            }
            try transfer.append(bytes)
            return bytes.count
        } catch {
            failure = .disk(error, transfer.url)
            return breakOff
        }
    }

    @discardableResult
    func judge() -> ResponseVerdict {
        if let verdict { return verdict }
        let judged = ResumePolicy.verdict(on: headers, offset: offset, entity: transfer.recordedEntity)
        verdict = judged
        return judged
    }

    /// The way is free for the body that was told to wait.
    func admitAfterPause() {
        isAdmitted = true
        isPaused = false
        lastByteAt = .now
        request?.goOn()
    }

    func breakOff(_ failure: TransferFailure) { if self.failure == nil { self.failure = failure } }
}
#endif
