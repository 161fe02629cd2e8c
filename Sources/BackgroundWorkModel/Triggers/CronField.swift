/// One field of a crontab line: its name, its range, and the names that its values may have.
package enum CronField: String, Sendable, CaseIterable {
    case minute
    case hour
    case dayOfMonth = "day of month"
    case month
    case dayOfWeek = "day of week"

    /// The numbers that may be written. Sunday is both 0 and 7.
    var range: ClosedRange<Int> {
        switch self {
        case .minute: 0...59
        case .hour: 0...23
        case .dayOfMonth: 1...31
        case .month: 1...12
        case .dayOfWeek: 0...7
        }
    }

    private var names: [String] {
        switch self {
        case .month: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
        case .dayOfWeek: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
        case .minute, .hour, .dayOfMonth: []
        }
    }

    /// The values that a field's text names, as bits.
    func values(of text: Substring) throws(CronSyntaxError) -> UInt64 {
        var bits: UInt64 = 0
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            bits |= try values(ofPart: part, in: text)
        }
        // 7 is Sunday as well.
        if self == .dayOfWeek, bits & 1 << 7 != 0 { bits = bits & ~(1 << 7) | 1 }
        return bits
    }

    private func values(ofPart part: Substring, in text: Substring) throws(CronSyntaxError) -> UInt64 {
        let pieces = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        var step = 1
        if pieces.count == 2 {
            guard let number = Int(pieces[1]), number >= 1, number <= range.upperBound else {
                throw complaint(text, "the step \"\(pieces[1])\" must be a number from 1 to \(range.upperBound)")
            }
            step = number
        }
        let (first, last) = try bounds(pieces[0], hasStep: pieces.count == 2, in: text)
        return stride(from: first, through: last, by: step).reduce(0) { $0 | 1 << UInt64($1) }
    }

    private func bounds(
        _ text: Substring, hasStep: Bool, in field: Substring
    ) throws(CronSyntaxError) -> (Int, Int) {
        if text == "*" { return (range.lowerBound, self == .dayOfWeek ? 6 : range.upperBound) }
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let first = try value(ends[0], in: field)
        if ends.count == 2 {
            let last = try value(ends[1], in: field)
            guard last >= first else {
                throw complaint(field, "the range \"\(text)\" ends before it begins; write two ranges")
            }
            return (first, last)
        }
        // "5/15" is "from 5 on, each 15th".
        return (first, hasStep ? (self == .dayOfWeek ? 6 : range.upperBound) : first)
    }

    private func value(_ text: Substring, in field: Substring) throws(CronSyntaxError) -> Int {
        if let index = names.firstIndex(of: text.uppercased()) { return index + range.lowerBound }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber, let number = Int(text), range.contains(number) else {
            let orNames = names.isEmpty ? "" : ", or \(names[0]) to \(names[names.count - 1])"
            throw complaint(
                field, "\"\(text)\" must be a number from \(range.lowerBound) to \(range.upperBound)\(orNames)")
        }
        return number
    }

    private func complaint(_ field: Substring, _ reason: String) -> CronSyntaxError {
        CronSyntaxError("the \(rawValue) field is \"\(field.prefix(80))\", where \(reason)")
    }
}
