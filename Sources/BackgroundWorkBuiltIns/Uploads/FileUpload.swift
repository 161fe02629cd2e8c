import BackgroundWorkHTTP
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Sends one of the files of a parallel upload, several times if that may help.
struct FileUpload: Sendable {
    /// How it has ended.
    struct End: Sendable {
        var entry: UploadRecord.Entry
        /// A failure that may pass.
        var passing: TransferFailure?
    }

    private let input: ParallelHttpUploadWorker.Input
    private let requests: WorkerRequests
    private let clock: any WorkClock

    init(_ input: ParallelHttpUploadWorker.Input, _ requests: WorkerRequests, clock: any WorkClock) {
        (self.input, self.requests, self.clock) = (input, requests, clock)
    }

    /// - Parameter earlierAttempts: how many times earlier attempts of the work have tried this file.
    func run(
        _ index: Int, earlierAttempts: Int, progress: @escaping @Sendable (HTTPProgress) -> Void
    ) async throws -> End {
        let file = input.files[index]
        let form = HTTPForm(
            filePath: FileRules.normalized(file.filePath), fieldName: file.fieldName, fileName: file.fileName,
            mimeType: file.mimeType, fields: input.fields)
        var attempts = earlierAttempts
        do {
            let sent = try await retrying(
                maxAttempts: 1 + input.maximumRetries, initialDelay: .seconds(1), clock: clock,
                isWorthAnotherTry: Self.isWorthAnotherTry
            ) { _ in
                attempts += 1
                return try await requests.upload(form, to: input.url, progress: progress)
            }
            return End(
                entry: .init(
                    result: .init(
                        filePath: file.filePath, isSuccess: true, attempts: attempts, bytesSent: sent.bytes,
                        statusCode: sent.head.status), isFinal: true))
        } catch let failure as TransferFailure {
            return End(
                entry: .init(
                    result: .init(
                        filePath: file.filePath, isSuccess: false, attempts: attempts, bytesSent: 0,
                        statusCode: failure.statusCode, error: failure.message), isFinal: !failure.isRetryable),
                passing: failure.isRetryable ? failure : nil)
        }
    }

    /// After network errors and the statuses 5xx.
    private static func isWorthAnotherTry(_ error: any Error) -> Bool {
        guard let failure = error as? TransferFailure, failure.isRetryable else { return false }
        return switch failure.kind {
        case .network, .truncated: true
        case .status: (500...599).contains(failure.statusCode ?? 0)
        case .refused, .disk, .checksum, .sourceChanged, .limit, .invalid: false
        }
    }
}

extension TransferFailure: RetryableError {
    package var retryAfter: Duration? { retryAfterMs.map { .milliseconds($0) } }
}
