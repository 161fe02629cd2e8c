/// One of the five fields of a cron schedule.
package enum CronField: String, Sendable, Hashable, CaseIterable {
    /// 0 to 59.
    case minute
    /// 0 to 23.
    case hour
    /// 1 to 31.
    case dayOfMonth = "day of month"
    /// 1 to 12, or JAN to DEC.
    case month
    /// 0 to 7, where both 0 and 7 are Sunday, or SUN to SAT.
    case dayOfWeek = "day of week"

    /// The numbers that may be written.
    var numbers: ClosedRange<Int> {
        switch self {
        case .minute: 0...59
        case .hour: 0...23
        case .dayOfMonth: 1...31
        case .month: 1...12
        case .dayOfWeek: 0...7
        }
    }

    /// What `*` means. Sunday counts once, so that steps over the week do not match it twice.
    var everything: ClosedRange<Int> { self == .dayOfWeek ? 0...6 : numbers }

    /// The names of the values, in order, from the first of ``everything`` on.
    var names: [String] {
        switch self {
        case .month: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
        case .dayOfWeek: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
        case .minute, .hour, .dayOfMonth: []
        }
    }

    /// The valid texts for one value, for people.
    var expectation: String {
        let span = "\(numbers.lowerBound) to \(numbers.upperBound)"
        guard let first = names.first, let last = names.last else { return span }
        return "\(span) or \(first) to \(last)"
    }
}

/// Reads one field of a cron schedule: a list of values, ranges and `*`, each with or without a step.
struct CronFieldParser {
    let field: CronField
    let text: String

    func values() throws(CronSyntaxError) -> CronValues {
        var values = CronValues()
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            values = values.union(try self.values(of: String(part)))
        }
        // 7 is only another way to write Sunday.
        if field == .dayOfWeek, values.contains(7) { values.insert(0) }
        return values.intersection(CronValues(field.everything))
    }

    private func values(of part: String) throws(CronSyntaxError) -> CronValues {
        let pieces = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = pieces.first, let last = pieces.last, pieces.count == 2 else {
            return CronValues(try range(part, in: part, isOpen: false))
        }
        let range = try range(String(first), in: part, isOpen: true)
        // A longer step would match the first value only, so "*/90" would not mean what it seems to say.
        guard let step = number(last), (1...field.everything.count).contains(step) else {
            throw .step(part: part, text: text, field: field)
        }
        return CronValues(range, step: step)
    }

    /// - Parameter isOpen: whether a single value means everything from it on, as it does before a step.
    private func range(_ span: String, in part: String, isOpen: Bool) throws(CronSyntaxError) -> ClosedRange<Int> {
        if span == "*" { return field.everything }
        let ends = span.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = ends.first, let last = ends.last, var lower = value(first), var upper = value(last) else {
            throw .value(part: part, text: text, field: field)
        }
        if ends.count == 1 {
            guard isOpen else { return lower...lower }
            if field == .dayOfWeek { lower %= 7 }
            return lower...field.everything.upperBound
        }
        // SAT-SUN is a weekend, although Sunday is also the first day.
        if field == .dayOfWeek, upper == 0, lower > 0 { upper = 7 }
        guard lower <= upper else {
            let top = field.names.last ?? String(field.everything.upperBound)
            let bottom = field.names.first ?? String(field.everything.lowerBound)
            throw .backwardRange(
                part: part, text: text, field: field, instead: "\(first)-\(top),\(bottom)-\(last)")
        }
        return lower...upper
    }

    private func value(_ word: Substring) -> Int? {
        if let index = field.names.firstIndex(of: word.uppercased()) { return field.everything.lowerBound + index }
        guard let number = number(word), field.numbers.contains(number) else { return nil }
        return number
    }

    /// Digits only: `Int` would also take a sign.
    private func number(_ word: Substring) -> Int? {
        word.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(word) : nil
    }
}
