import BackgroundWorkExchange
import BackgroundWorkFiles
import BackgroundWorkSystem
import Dispatch
import Synchronization

/// Sends requests by libcurl, on a thread of its own that begins with the first one.
final class CurlBackend: HTTPBackend {
    static let limitsSpeed = true

    private let configuration: HTTPTransport.Configuration
    /// Of the thread, once there is one.
    private let inbox = Mutex<CurlInbox?>(nil)

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
        let result = inbox.withLock { known -> Result<CurlInbox, HTTPError> in
            if let known { return .success(known) }
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
                known = inbox
                return .success(inbox)
            } catch {
                return .failure(
                    HTTPError(kind: .network, message: "\(call.request.url.label): \(error)", isRetryable: true))
            }
        }
        return try result.get()
    }

    func close() { inbox.withLock { $0 }?.add(.close) }
}

/// What carries requests here.
typealias PlatformBackend = CurlBackend
