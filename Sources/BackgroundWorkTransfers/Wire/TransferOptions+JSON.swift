import BackgroundWorkModel

extension TransferOptions {
    /// Writes what differs from the defaults, as the `Codable` conformance does.
    ///
    /// The last one's bytes are not used again: two texts that look alike are equal, and have different bytes.
    func write(to json: inout JSONWriter) {
        json.open()
        writeMembers(to: &json)
        json.close()
    }

    /// Writes its members into an object that has been opened, beside others.
    func writeMembers(to json: inout JSONWriter) {
        let standard = Self.standard
        if !headers.isEmpty {
            json.begin("headers")
            json.strings(headers, sorted: true)
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
        if retry != standard.retry {
            json.begin("retry")
            retry.write(to: &json)
        }
        if proxy != standard.proxy {
            json.begin("proxy")
            proxy.write(to: &json)
        }
        if let authentication {
            json.begin("authentication")
            authentication.write(to: &json)
        }
        if let tokenRefresh {
            json.begin("tokenRefresh")
            tokenRefresh.write(to: &json)
        }
        if tls != standard.tls {
            json.begin("tls")
            tls.write(to: &json)
        }
    }

    private static let standard = TransferOptions()
}

// What follows writes what the encoder would write, and never fails.

extension RetryPolicy {
    fileprivate func write(to json: inout JSONWriter) {
        json.open()
        json.member("growth", growth.rawValue)
        json.member("initialDelayMs", initialDelayMs)
        json.member("maximumDelayMs", maximumDelayMs)
        json.member("maximumAttempts", maximumAttempts)
        json.member("jitter", jitter)
        json.close()
    }
}

extension ProxyChoice {
    fileprivate func write(to json: inout JSONWriter) {
        guard isSpelledAsName else { return json.string(text) }
        json.open()
        json.member("url", text)
        json.close()
    }
}

extension HTTPAuthentication {
    fileprivate func write(to json: inout JSONWriter) {
        json.open()
        switch self {
        case .basic(let user, let password):
            json.member("scheme", "basic")
            json.member("user", user)
            json.member("password", password)
        case .digest(let user, let password):
            json.member("scheme", "digest")
            json.member("user", user)
            json.member("password", password)
        case .bearer(let token):
            json.member("scheme", "bearer")
            json.member("token", token)
        }
        json.close()
    }
}

extension TokenRefresh {
    fileprivate func write(to json: inout JSONWriter) {
        json.open()
        json.member("url", url)
        json.member("method", method)
        json.begin("headers")
        json.strings(headers, sorted: true)
        if let body { json.member("body", body) }
        json.member("tokenPath", tokenPath)
        json.close()
    }
}

extension TLSOptions {
    fileprivate func write(to json: inout JSONWriter) {
        json.open()
        if let clientCertificatePath { json.member("clientCertificatePath", clientCertificatePath) }
        if let clientKeyPath { json.member("clientKeyPath", clientKeyPath) }
        if let clientKeyPassword { json.member("clientKeyPassword", clientKeyPassword) }
        if let additionalAuthoritiesPath { json.member("additionalAuthoritiesPath", additionalAuthoritiesPath) }
        json.begin("pinnedPublicKeys")
        json.strings(pinnedPublicKeys)
        json.close()
    }
}
