import BackgroundWorkExchange
import BackgroundWorkTransfers

/// The failures of the agent's own side of a transfer in words: what happened, to which URL, and what to do.
extension TransferFailure {
    static func wrongRange(of headers: ResponseHeaders, _ url: TransferURL) -> TransferFailure {
        let range = headers.contentRange.map { "\"\($0.printable)\"" } ?? "none"
        return TransferFailure(
            kind: .status,
            message: "\(url.label): the server answered \(headers.status) with a range that was not requested "
                + "(Content-Range: \(range)). Check the server or the proxy in front of it.",
            isRetryable: false, statusCode: headers.status)
    }

    static func disk(_ error: SystemCallError, _ url: TransferURL) -> TransferFailure {
        TransferFailure(kind: .disk, message: "\(url.label): \(error)", isRetryable: true)
    }

    static func noSpace(needed: Int64, free: Int64, at path: String, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .disk,
            message: "\(url.label): the file needs \(needed) bytes more, and the volume of \(path) has \(free) left. "
                + "Free some space and try again.", isRetryable: true)
    }

    static func unreadable(_ error: any Error, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .disk, message: "\(url.label): the checksum of the received file could not be computed: \(error)",
            isRetryable: true)
    }

    static func journal(_ error: any Error, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .disk, message: "\(url.label): the agent's journal could not be written: \(error)",
            isRetryable: true)
    }
}
