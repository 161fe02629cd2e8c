import BackgroundWorkModel

extension TransferOptions {
    /// Writes what differs from the defaults, as the `Codable` conformance does.
    ///
    /// The last one's bytes are not used again: two texts that look alike are equal, and have different bytes.
    func write(to json: inout JSONWriter) throws {
        let standard = Self.standard
        json.open()
        if !headers.isEmpty {
            json.begin("headers")
            json.strings(headers)
        }
        if isDiscretionary { json.member("isDiscretionary", true) }
        if !allowsCellularAccess { json.member("allowsCellularAccess", false) }
        if stallTimeout != standard.stallTimeout { json.member("timeoutMs", stallTimeout.milliseconds) }
        if resourceTimeout != standard.resourceTimeout {
            json.member("resourceTimeoutMs", resourceTimeout.milliseconds)
        }
        if let earliestBegin { json.member("earliestBeginMs", WallTime(earliestBegin).milliseconds) }
        if priority != standard.priority { json.member("priority", priority.rawValue) }
        if let bytesPerSecond { json.member("bytesPerSecond", bytesPerSecond) }
        if let group { json.member("group", group) }
        if retry != standard.retry { try json.member("retry", encoding: retry) }
        if proxy != standard.proxy { json.member("proxy", proxy.text) }
        if let authentication { try json.member("authentication", encoding: authentication) }
        if let tokenRefresh { try json.member("tokenRefresh", encoding: tokenRefresh) }
        if tls != standard.tls { try json.member("tls", encoding: tls) }
        json.close()
    }

    private static let standard = TransferOptions()
}
