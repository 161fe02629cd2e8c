import BackgroundWorkModel
import BackgroundWorkTransfers

/// What a ``Downloader`` and an ``Uploader`` do alike: opens the directory, answers a call with the end of its transfer,
/// and releases the directory when it is deallocated.
final class StandaloneClient: Sendable {
    let transfers: StandaloneTransfers
    let sessionIdentifier: String
    private let clock: any WorkClock

    init(_ configuration: StandaloneTransferConfiguration) throws {
        let transfers = try StandaloneTransfers(configuration)
        self.transfers = transfers
        clock = configuration.clock
        sessionIdentifier = configuration.sessionIdentifier
        SessionEventDispatch.shared.add(transfers)
        Task { await transfers.start() }
    }

    deinit {
        // No caller is waiting: a waiting caller keeps this object alive.
        Task { [transfers] in await transfers.shutDown(gracePeriod: .seconds(10)) }
    }

    /// Calls the handler when what has ended in its session has been processed.
    @MainActor
    func handleEvents(then handler: @escaping () -> Void) {
        transfers.handleEvents(ofSession: sessionIdentifier) {
            // Until then this object is in use.
            withExtendedLifetime(self) { handler() }
        }
    }

    /// - Parameters:
    ///   - request: checks the configuration, and says what the identifier stands for.
    ///   - file: what the caller gets of a transfer's output.
    func response<Output: Decodable & Sendable, File: Sendable>(
        to identifier: String, request: () throws -> StandaloneRequest, begin: @escaping StandaloneTransfers.Begin,
        file: (Output) -> File
    ) async -> NetworkResponse<File> {
        do {
            let end = try await transfers.end(of: try request(), as: identifier, begin: begin)
            return end.response(to: identifier, now: WallTime(clock.now), file)
        } catch {
            return .failed(error)
        }
    }
}
