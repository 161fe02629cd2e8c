import BackgroundWorkExchange
import BackgroundWorkFiles
import BackgroundWorkSystem
import Dispatch
import Synchronization

/// Sends requests by libcurl, on a thread of its own that begins with the first one.
final class CurlBackend: HTTPBackend {
    private struct State: Sendable {
        var inbox: CurlInbox?
        var isClosed = false
    }

    private let configuration: HTTPTransport.Configuration
    private let state = Mutex(State())

    init(_ configuration: HTTPTransport.Configuration) { self.configuration = configuration }

    func begin(_ call: HTTPCall) {
        do throws(HTTPError) {
            let inbox = try self.inbox(for: call)
            call.control(
                stop: { inbox.add(.stop(call)) }, proceed: { inbox.add(.hasRoom(call)) },
                more: { inbox.add(.hasMore(call)) })
            inbox.add(.begin(call))
        } catch {
            call.finish(error)
        }
    }

    private func inbox(for call: HTTPCall) throws(HTTPError) -> CurlInbox {
        let result = state.withLock { state -> Result<CurlInbox, HTTPError> in
            if let inbox = state.inbox { return .success(inbox) }
            do {
                let inbox = try CurlInbox()
                let configuration = configuration
                let isStarted = SystemThread.start {
                    let loop = CurlLoop(inbox, configuration)
                    // Its exchanges refer to it without keeping it.
                    withExtendedLifetime(loop) { loop.run() }
                }
                guard isStarted else {
                    throw FileError(action: "start a thread for", path: "HTTP requests", code: EAGAIN)
                }
                state.inbox = inbox
                return .success(inbox)
            } catch {
                return .failure(
                    HTTPError(kind: .network, message: "\(call.request.url.label): \(error)", isRetryable: true))
            }
        }
        return try result.get()
    }

    func close() { state.withLock { $0.inbox }?.add(.close) }
}
