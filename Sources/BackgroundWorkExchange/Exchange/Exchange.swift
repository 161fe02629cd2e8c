import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// One running HTTP exchange: decides which addresses may be dialed, reads the headers, and passes bodies on.
package final class Exchange {
    private static let redirects: Set<Int> = [301, 302, 303, 307, 308]

    package let plan: RequestPlan
    package let url: TransferURL
    /// Of the transfer that it belongs to.
    package let limit: BandwidthLimit?
    private let throttle: Throttle
    /// How many bytes of the current piece were already passed on. libcurl passes the whole piece again after each
    /// pause.
    private var passedOn = 0
    private var unpacker: BodyUnpacker?
    /// How many bytes of that piece were given to the decompressor.
    private var unpacking = 0
    package private(set) var headers: ResponseHeaders
    /// Why the agent itself ended the exchange.
    package private(set) var failure: TransferFailure?
    package private(set) var isPaused = false
    /// Whether it was ended because no byte moved.
    package private(set) var hasStalled = false
    package private(set) var lastByteAt = SuspendingClock.now
    /// The last address that was dialed or used.
    package private(set) var address: DialledAddress?
    private var refusal: AddressRefusal?
    private var hasDialled = false
    private unowned let handler: any ExchangeHandler
    private var curl: CurlRequest?
    /// Called when the exchange moves bytes of a body.
    package var touched: () -> Void = {}
    /// Called when the exchange goes on, with the instant at which it counts as stalled.
    var wentOn: (SuspendingClock.Instant) -> Void = { _ in }

    /// `handler` must outlive the exchange.
    package init(
        _ plan: RequestPlan, handler: any ExchangeHandler, limit: BandwidthLimit?, throttle: Throttle
    ) throws(TransferFailure) {
        self.plan = plan
        headers = ResponseHeaders(keepsAll: plan.keepsAllHeaders)
        self.limit = limit
        self.throttle = throttle
        self.handler = handler
        url = TransferURL(plan.url, method: plan.method.name)
        guard plan.method.isValid else {
            throw .invalid("its method contains characters that are not allowed in a method", url)
        }
        // Before a resolver learns of the name.
        if let refusal = plan.securityPolicy.refusal(of: plan.url, through: plan.proxy) {
            throw .refusedAddress(refusal, redirects: 0, url)
        }
        // libcurl would wait for what comes through a pipe, and everything else with it.
        for file in plan.options.tls.files {
            guard let kind = SpecialFile.kind(at: file.path, followingLinks: true) else { continue }
            throw .invalid("\(file.field) is \(kind) and not a file: \(file.path)", url)
        }
        curl = CurlRequest(plan, exchange: self)
        if curl == nil { throw .network("libcurl could not set up a request: out of memory", url) }
    }

    package static func from(_ context: UnsafeMutableRawPointer?) -> Exchange? {
        context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }

    /// libcurl's handle of the exchange.
    package var handle: UnsafeMutableRawPointer? { curl?.handle }
    /// libcurl's side of it.
    package var connection: CurlRequest? { curl }
    package var effectiveURL: String { curl?.effectiveURL ?? "" }
    package var redirects: Int { curl?.redirects ?? 0 }
    package func detail(of code: CURLcode) -> String { curl?.detail(of: code) ?? "" }

    /// When the exchange counts as stalled unless a byte moves before.
    package var stallDeadline: SuspendingClock.Instant {
        lastByteAt + .milliseconds(max(plan.options.stallTimeout.milliseconds, 1))
    }

    /// What the policy forbade, if no other address could be dialed instead.
    ///
    /// - Parameter code: how the exchange has ended.
    package func decisiveRefusal(of code: CURLcode) -> AddressRefusal? {
        if hasDialled { return nil }
        if let refusal { return refusal }
        // What is forbidden as written is forbidden even if it cannot be resolved.
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return plan.securityPolicy.refusal(of: URLDestination(url: effectiveURL))
        case CURLE_COULDNT_RESOLVE_PROXY:
            return plan.proxy.flatMap { plan.securityPolicy.refusal(of: URLDestination(proxy: $0)) }
        default: return nil
        }
    }

    // MARK: Called by libcurl

    package func mayDial(_ address: DialledAddress) -> Bool {
        if curl?.offersCertificate == true, RequestOrigin(effectiveURL) != RequestOrigin(plan.url) {
            breakOff(
                .forbiddenRedirect("the server redirected to an origin that must not get the client certificate", url))
            return false
        }
        return admit(address)
    }

    /// libcurl may be about to reuse a connection that was dialed for another transfer, perhaps under another policy.
    package func mayUse(_ address: DialledAddress?) -> Bool { admit(address) }

    private func admit(_ address: DialledAddress?) -> Bool {
        refusal = plan.securityPolicy.refusal(dialing: address?.address, for: effectiveURL, through: plan.proxy)
        hasDialled = refusal == nil
        if hasDialled, let address { self.address = address }
        return hasDialled
    }

    package func receive(headerLine line: String) {
        lastByteAt = .now
        headers.add(line: line)
        if (300...399).contains(headers.status), let target = RedirectTarget(headerLine: line),
            !target.isSurely(at: plan.url, from: effectiveURL)
        {
            curl?.withholdCredentials()
        }
        guard line.hasPrefix("HTTP/") else {
            if headers.isEnded { handler.receivedHead(of: self) }
            return
        }
        // libcurl would follow a `Location` of any of the others, such as 304 (RFC 9110, section 15.4).
        if (300...399).contains(headers.status), !Self.redirects.contains(headers.status) { curl?.followNoMore() }
        if headers.status == 303, case .bare = plan.method { curl?.fetchNext() }
        // The target of a redirect is checked when it is dialed.
        refusal = nil
        hasDialled = false
        if (300...399).contains(headers.status), effectiveURL.lowercased().hasPrefix("https:") {
            curl?.forbidPlainRedirects()
        }
    }

    package func receive(body bytes: UnsafeRawBufferPointer) -> BodyAnswer {
        // Also for the rest of a piece that a limit has divided, if the limit was removed in the meantime.
        guard throttle.limits(limit) || passedOn + unpacking > 0, !bytes.isEmpty else { return pass(bytes) }
        while passedOn < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[passedOn...])
            let allowed = unpacking > 0 ? unpacking : allowance(wanting: rest.count)
            if allowed == 0 { return .wait }
            let answer = pass(UnsafeRawBufferPointer(rebasing: rest[..<allowed]))
            guard case .taken = answer else { return answer }
            throttle.moved(allowed, by: self)
            passedOn += allowed
        }
        passedOn -= bytes.count
        return .taken
    }

    /// How many bytes may be moved now. If none may, the exchange pauses until the throttle continues it.
    private func allowance(wanting bytes: Int) -> Int {
        let allowed = throttle.allowance(for: self, wanting: bytes)
        if allowed == 0 { isPaused = true }
        return allowed
    }

    private func pass(_ bytes: UnsafeRawBufferPointer) -> BodyAnswer {
        lastByteAt = .now
        touched()
        let answer = isPacked ? unpack(bytes) : handler.receive(bytes, of: self)
        if case .wait = answer { isPaused = true }
        return answer
    }

    /// Whether the body is compressed and is the requested content. For other responses the handler only needs the
    /// headers.
    private var isPacked: Bool {
        plan.unpacksBody && headers.isEncoded && headers.status != 206
            && (plan.asksForCompression || (200...299).contains(headers.status))
    }

    /// Whether the response has no body whatever its headers say (RFC 9112, section 6.3).
    private var hasNoBody: Bool {
        plan.method == .head || headers.status == 204 || headers.status == 304
    }

    private func unpack(_ bytes: UnsafeRawBufferPointer) -> BodyAnswer {
        do throws(BodyUnpacker.Fault) {
            let unpacker =
                if let begun = self.unpacker { begun } else { try BodyUnpacker(coding: headers.contentEncoding ?? "") }
            self.unpacker = unpacker
            let answer = try unpacker.unpack(bytes) { handler.receive($0, of: self) }
            if case .wait = answer { unpacking = bytes.count } else { unpacking = 0 }
            return answer
        } catch {
            breakOff(.unpacking(error, url))
            return .breakOff
        }
    }

    /// libcurl has received everything that the server announced; whether a compressed body is complete is only checked
    /// here.
    package func checkEnd() {
        // Some servers declare an empty file as compressed.
        guard isPacked, headers.contentLength != 0, !hasNoBody else { return }
        // A body of no bytes needs no end, where the server was asked to compress.
        if unpacker == nil, plan.asksForCompression { return }
        if unpacker?.isComplete != true { breakOff(.cutPackedBody(url)) }
    }

    /// An exchange that waits for bytes to send counts as stalled after the same time as one whose server does not
    /// respond.
    package func supply(_ space: UnsafeMutableRawBufferPointer) -> BodySupply {
        var space = space
        if throttle.limits(limit), !space.isEmpty {
            let allowed = allowance(wanting: space.count)
            if allowed == 0 { return .wait }
            space = UnsafeMutableRawBufferPointer(rebasing: space[..<allowed])
        }
        let answer = handler.supply(space, to: self)
        if answer == .wait { return .wait }
        if case .bytes(let count) = answer { throttle.moved(count, by: self) }
        lastByteAt = .now
        touched()
        return answer
    }

    package func rewind(to offset: Int64) -> Bool { handler.rewind(to: offset, for: self) }

    // MARK: Called by the handler

    /// The paused body can be received now, or more bytes of the body to send are available.
    package func goOn() {
        isPaused = false
        lastByteAt = .now
        wentOn(stallDeadline)
        curl?.goOn()
    }

    /// Ends it because no byte has moved.
    func stall() {
        hasStalled = true
        breakOff(.stalled(milliseconds: plan.options.stallTimeout.milliseconds, url))
    }

    package func breakOff(_ failure: TransferFailure) { if self.failure == nil { self.failure = failure } }
}
