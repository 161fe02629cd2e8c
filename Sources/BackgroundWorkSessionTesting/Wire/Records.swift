import BackgroundWorkURLSession

/// A task as the app sees it.
struct TaskRecord: Codable, Sendable, Hashable {
    var number: Int
    /// Of its request; `nil` for a task that the daemon does not have.
    var url: String?
    var description: String?
    var response: ResponseRecord?
    var earliestBeginDate: Date?
    var bytesToSend: Int64 = -1
    var bytesToReceive: Int64 = -1
    var priority = URLSessionTask.defaultPriority
    /// Of `URLSessionTask.State`.
    var state = URLSessionTask.State.suspended.rawValue
}

/// What the daemon needs of a `URLRequest`.
struct RequestRecord: Codable, Sendable, Hashable {
    var url: String
    var method: String
    var headers: [String: String]
    var timeout: Double
    var allowsCellularAccess: Bool

    /// A plain request.
    init(url: String) {
        self.url = url
        (method, headers, timeout, allowsCellularAccess) = ("GET", [:], 60, true)
    }

    init(_ request: URLRequest) {
        url = request.url?.absoluteString ?? ""
        method = request.httpMethod ?? "GET"
        headers = request.allHTTPHeaderFields ?? [:]
        timeout = request.timeoutInterval
        allowsCellularAccess = request.allowsCellularAccess
    }

    /// `nil` if the URL cannot be used.
    var request: URLRequest? {
        guard let url = URL(string: url) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.timeoutInterval = timeout
        request.allowsCellularAccess = allowsCellularAccess
        request.cachePolicy = .reloadIgnoringLocalCacheData
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }
}

/// What an app sees of a response.
struct ResponseRecord: Codable, Sendable, Hashable {
    var url: String
    var status: Int
    var headers: [String: String]

    init?(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return nil }
        url = response.url?.absoluteString ?? ""
        status = response.statusCode
        headers = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name] = value }
        }
    }

    var response: URLResponse? {
        URL(string: url).flatMap {
            HTTPURLResponse(url: $0, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
        }
    }

    subscript(_ name: String) -> String? {
        headers.first { $0.key.lowercased() == name.lowercased() }?.value
    }
}

/// An error as far as it can go from process to process.
struct ErrorRecord: Codable, Sendable, Hashable {
    var domain = NSURLErrorDomain
    var code: Int
    var text: String?
    var resumeData: Data?
    /// `NSURLErrorBackgroundTaskCancelledReasonKey`.
    var cancelledReason: Int?

    init(code: Int, text: String? = nil) {
        self.code = code
        self.text = text
    }

    init(_ error: any Error) {
        let error = error as NSError
        domain = error.domain
        code = error.code
        text = error.localizedDescription
    }

    var error: NSError {
        var information: [String: Any] = [:]
        if let text { information[NSLocalizedDescriptionKey] = text }
        if let resumeData { information["NSURLSessionDownloadTaskResumeData"] = resumeData }
        if let cancelledReason { information["NSURLErrorBackgroundTaskCancelledReasonKey"] = cancelledReason }
        return NSError(domain: domain, code: code, userInfo: information)
    }
}

struct ProtectionSpaceRecord: Codable, Sendable, Hashable {
    var host: String
    var port: Int
    var scheme: String?
    var realm: String?
    var method: String

    init(_ space: URLProtectionSpace) {
        host = space.host
        port = space.port
        scheme = space.protocol
        realm = space.realm
        method = space.authenticationMethod
    }

    var space: URLProtectionSpace {
        URLProtectionSpace(host: host, port: port, protocol: scheme, realm: realm, authenticationMethod: method)
    }
}
