import BackgroundWorkModel

/// The `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// How long to wait from `now` on; `nil` for any other value. A date in the past means no wait.
    package static func milliseconds(_ value: String, now: WallTime) -> Int64? {
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // A number that does not fit is treated as the longest possible wait.
            return Int64(value).map { $0.multipliedReportingOverflow(by: 1000) }
                .map { $0.overflow ? .max : $0.partialValue } ?? .max
        }
        return HTTPDate.milliseconds(value).map { max(0, $0 - now.milliseconds) }
    }
}

/// Dates as HTTP writes them: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7), and the two obsolete forms that
/// a recipient must take as well.
package enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Milliseconds since 1970; `nil` for text that is not such a date.
    package static func milliseconds(_ text: String) -> Int64? {
        var words = text.lowercased().split { $0 == " " || $0 == "," || $0 == "-" }
        guard words.count >= 5 else { return nil }
        words.removeFirst()
        let time: Substring
        let date: (day: Substring, month: Substring, year: Substring)
        if words[0].first?.isNumber == true {
            // 06 Nov 1994 08:49:37 GMT, or 06 Nov 94 08:49:37 GMT.
            guard words.count == 5, words[4] == "gmt" else { return nil }
            date = (words[0], words[1], words[2])
            time = words[3]
        } else {
            // Nov 6 08:49:37 1994.
            guard words.count == 4 else { return nil }
            date = (words[1], words[0], words[3])
            time = words[2]
        }
        let clock = time.split(separator: ":").map { Int64($0) ?? -1 }
        guard let day = Int64(date.day), (1...31).contains(day),
            let month = months.firstIndex(of: String(date.month)), var year = Int64(date.year),
            (0...9999).contains(year),
            clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        if date.year.count == 2 { year += year < 70 ? 2000 : 1900 }
        let days = CivilMonth(year: year, month: month + 1).firstDay + day - 1
        return (((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]) * 1000
    }
}
