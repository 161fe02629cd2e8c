import BackgroundWorkModel

/// The `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// How long to wait from `now` on; `nil` for what is neither. A date that has passed means no wait.
    static func milliseconds(_ value: String, now: WallTime) -> Int64? {
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More digits than fit are a wait without end, as far as anybody here is concerned.
            return Int64(value).map { $0.multipliedReportingOverflow(by: 1000) }
                .map { $0.overflow ? .max : $0.partialValue } ?? .max
        }
        return HTTPDate.milliseconds(value).map { max(0, $0 - now.milliseconds) }
    }
}
