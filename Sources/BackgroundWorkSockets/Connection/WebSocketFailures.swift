/// The failures of a connection in words: what happened, to which URL, and what to do.
extension WebSocketError {
    static func invalid(_ problem: String, _ url: TransferURL) -> WebSocketError {
        WebSocketError(kind: .invalid, message: "\(url.label): \(problem). Correct the call.", isRetryable: false)
    }

    static func network(_ detail: String, _ url: TransferURL) -> WebSocketError {
        WebSocketError(
            kind: .network, message: "\(url.label): \(detail). Connect again when the network or the server is back.",
            isRetryable: true)
    }

    static func timeout(_ what: String, _ limit: Duration, _ url: TransferURL) -> WebSocketError {
        WebSocketError(
            kind: .timeout,
            message: "\(url.label): \(what) within \(limit.milliseconds) ms. Try again, or allow more time.",
            isRetryable: true)
    }

    static func rejected(_ rejection: WebSocketRejection, _ url: TransferURL) -> WebSocketError {
        WebSocketError(
            kind: .rejected,
            message: "\(url.label): the server answered the handshake with \(rejection.status). \(rejection.advice)",
            isRetryable: rejection.isRetryable, rejection: rejection)
    }

    static func violation(_ detail: String, _ url: TransferURL) -> WebSocketError {
        WebSocketError(
            kind: .protocolViolation,
            message: "\(url.label): the server breaks the protocol: \(detail). Check the server, or the proxy in front "
                + "of it.", isRetryable: true)
    }

    static func tooLong(limit: Int, _ url: TransferURL) -> WebSocketError {
        WebSocketError(
            kind: .tooLong,
            message: "\(url.label): a message has more than \(limit) bytes. Raise the request's maximumMessageBytes.",
            isRetryable: false)
    }

    /// - Parameter reason: one that may be shown.
    static func closed(_ code: WebSocketCloseCode, _ reason: String, byPeer: Bool, _ url: TransferURL) -> WebSocketError
    {
        let who = byPeer ? "the server has closed the connection" : "the connection is closed"
        let why = reason.isEmpty ? "" : " (\(reason))"
        var error = WebSocketError(
            kind: .closed, message: "\(url.label): \(who) with \(code)\(why). Connect again if you still need it.",
            isRetryable: byPeer && [1001, 1011, 1012, 1013, 1014].contains(code.rawValue), closeCode: code)
        error.isOwnEnd = !byPeer
        return error
    }

    static func released(_ url: TransferURL) -> WebSocketError {
        WebSocketError(
            kind: .closed, message: "\(url.label): nobody held the connection any longer. Keep it while you use it.",
            isRetryable: false, closeCode: .abnormal)
    }

    static func busy(_ url: TransferURL) -> WebSocketError {
        .invalid("another task is receiving already, and each message has one receiver", url)
    }

    /// - Parameter shown: as the request of HTTP that was checked is called in messages.
    init(_ error: HTTPError, of shown: TransferURL, _ url: TransferURL) {
        let kind: Kind =
            switch error.kind {
            case .network, .truncated, .tooLong: .network
            case .timeout: .timeout
            case .refused: .refused
            case .disk, .invalid: .invalid
            }
        self.init(
            kind: kind, message: error.message.replacingStart(shown.label, with: url.label),
            isRetryable: error.isRetryable)
    }

    init(_ failure: TransferFailure, of shown: TransferURL, _ url: TransferURL) {
        self.init(HTTPError(failure), of: shown, url)
    }
}

extension String {
    fileprivate func replacingStart(_ start: String, with other: String) -> String {
        hasPrefix(start) ? other + dropFirst(start.count) : self
    }
}
