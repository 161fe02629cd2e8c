import BackgroundWorkModel
import BackgroundWorkTransfers

/// How a standalone transfer ended, as it is kept until a caller asks.
enum StandaloneEnd: Sendable, Hashable, Codable {
    /// With the output that a work item would have.
    case succeeded(outputJSON: String)
    /// `at`: when this was learnt.
    case failed(TransferFailure, at: WallTime)

    /// What to tell whoever asks now.
    func response<Output: Decodable, Success: Sendable>(
        to identifier: String, now: WallTime, _ success: (Output) -> Success
    ) -> NetworkResponse<Success> {
        switch self {
        case .succeeded(let outputJSON):
            do {
                return .success(success(try JSONCoding.value(Output.self, from: outputJSON)))
            } catch {
                return .failed(error)
            }
        case .failed(let failure, let date):
            guard failure.kind == .status, let status = failure.statusCode, status >= 400 else {
                return .failed(
                    StandaloneTransferError.transferFailed(
                        identifier: identifier, message: failure.message, isTemporary: failure.isRetryable))
            }
            guard failure.isRetryable else { return .rejected(statusCode: status, message: failure.message) }
            let after = failure.retryAfterMs.map { wait in
                Duration.milliseconds(max(0, wait - max(0, now.milliseconds - date.milliseconds)))
            }
            return .retry(after: after, statusCode: status)
        }
    }
}
