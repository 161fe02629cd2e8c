import BackgroundWorkURLSession

extension WebSocketContent {
    init(_ message: URLSessionWebSocketTask.Message) {
        switch message {
        case .string(let text): self = .text(text)
        case .data(let data): self = .data(data)
        @unknown default: self = .data(Data())
        }
    }

    var taskMessage: URLSessionWebSocketTask.Message {
        switch self {
        case .text(let text): .string(text)
        case .data(let data): .data(data)
        }
    }
}

extension WebSocketCloseCode {
    /// Apple's type takes every number.
    static func taskCode(_ code: Int) -> URLSessionWebSocketTask.CloseCode {
        URLSessionWebSocketTask.CloseCode(rawValue: code) ?? .normalClosure
    }
}

extension SessionHandshake {
    init?(_ response: URLResponse?) {
        guard let response = response as? HTTPURLResponse else { return nil }
        status = response.statusCode
        headers = HTTPHeaders(
            response.allHeaderFields.map { .init(name: "\($0.key)", value: "\($0.value)") }.sorted { $0.name < $1.name }
        )
    }
}

extension PreparedSocket {
    /// What a task is made for; `nil` where Foundation does not read the URL.
    var loadable: URLRequest? {
        guard let url = URL(string: address) else { return nil }
        var request = URLRequest(url: url)
        for field in http.fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        if !subprotocols.isEmpty {
            request.setValue(subprotocols.joined(separator: ", "), forHTTPHeaderField: "Sec-WebSocket-Protocol")
        }
        return request
    }
}
