import BackgroundWorkTransfers

/// Puts into words why a transfer failed, and says whether trying again may help.
struct FailureMessages: Sendable {
    var url: String

    private var request: String { "GET \(RedactedURL(url))" }

    /// The server answered with a status that brings no file.
    func status(_ code: Int) -> TransferFailure {
        let isRetryable = code >= 500 || code == 408 || code == 429
        let advice =
            switch code {
            case 401, 407: "Check the credentials in the headers."
            case 403: "Check the credentials and the URL."
            case 404, 410: "Check the URL."
            case 408, 429, 500...: "The server may recover; trying again can help."
            default: "Check the request."
            }
        return TransferFailure(
            kind: .status, message: "\(request): the server answered \(code)\(Self.name(of: code)). \(advice)",
            isRetryable: isRetryable, statusCode: code)
    }

    func truncated(received: Int64, promised: Int64) -> TransferFailure {
        TransferFailure(
            kind: .truncated,
            message: "\(request): the server promised \(promised) bytes, but \(received) arrived before the connection "
                + "closed.", isRetryable: true)
    }

    func refused(address: String) -> TransferFailure {
        TransferFailure(
            kind: .refused,
            message:
                "\(request): its host has the address \(address), which the policy publicInternet forbids. Set the "
                + "configuration's addressPolicy to .unrestricted to download from your own machine or network.",
            isRetryable: false)
    }

    func disk(_ error: any Error) -> TransferFailure {
        TransferFailure(
            kind: .disk, message: "\(request): the bytes could not be stored. \(error)", isRetryable: true)
    }

    func invalid(_ reason: String) -> TransferFailure {
        TransferFailure(kind: .invalid, message: "\(request): \(reason)", isRetryable: false)
    }

    /// libcurl gave up.
    func network(_ error: CurlError) -> TransferFailure {
        let (kind, isRetryable) = error.classification
        return TransferFailure(
            kind: kind, message: "\(request): \(error.reason.printable).\(error.advice)", isRetryable: isRetryable)
    }

    private static func name(of code: Int) -> String {
        let names = [
            400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 408: "Request Timeout",
            410: "Gone", 416: "Range Not Satisfiable", 429: "Too Many Requests", 500: "Internal Server Error",
            502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        ]
        return names[code].map { " " + $0 } ?? ""
    }
}
