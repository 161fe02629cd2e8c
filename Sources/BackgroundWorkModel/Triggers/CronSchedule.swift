/// A schedule in the notation of crontab(5): minute, hour, day of month, month, day of week.
///
/// Each field is `*`, or a list of values and ranges, each with or without a step: `0,30`, `9-17`, `*/5`, `10-40/10`.
/// A value with a step counts from there on: `5/15` is 5, 20, 35, 50. Months and days of the week have names, in any
/// case. 0 and 7 are Sunday. A range must run forwards, except that it may end with Sunday (`SAT-SUN`).
/// `@yearly`, `@annually`, `@monthly`, `@weekly`, `@daily`, `@midnight` and `@hourly` are whole schedules.
///
/// If both the day of month and the day of week are restricted, a day that matches either is a match. A field that
/// begins with `*` counts as not restricted, `*/2` too, and then both must match.
///
/// ## When clocks are changed
///
/// What counts is the hour field, as in Debian's cron(8), which handles jobs "that run at a specific time" apart from
/// those "that run more frequently".
///
/// - **Not every hour is allowed** (`30 2 * * *`, `0 */6 * * *`): a civil time happens once. If the clock skips it,
///   it happens at the first instant after the jump: once, however many were skipped. If it occurs twice, it happens
///   the first time. A nightly job is neither lost nor repeated.
/// - **Every hour is allowed** (`*/15 * * * *`, `0 * * * *`): the schedule follows the current civil time. Nothing is
///   made up for after a jump, and an hour that occurs twice has its runs twice: a job of every fifteen minutes is
///   never an hour late.
///
/// Unlike cron(8) this holds for jumps of any size, so also where a whole day is skipped.
package struct CronSchedule: Sendable, Hashable {
    let minutes: CronValues
    let hours: CronValues
    let daysOfMonth: CronValues
    let months: CronValues
    let daysOfWeek: CronValues
    /// Whether a day that matches only one of the two day fields is a match.
    let matchesEitherDay: Bool

    /// Whether no calendar has a day that the schedule matches, as with `0 0 31 2 *`.
    package var neverFires: Bool {
        // Within 400 years every date, the 29th of February too, falls on every day of the week; so the day of the
        // week can delay a match, but not prevent it.
        guard !matchesEitherDay, let firstDay = daysOfMonth.first() else { return false }
        return !(1...12).contains { months.contains($0) && firstDay <= CivilMonth.longest($0) }
    }

    /// Whether the schedule allows every hour, and so follows the civil time through clock changes.
    var runsEveryHour: Bool { hours == CronValues(CronField.hour.everything) }
}

extension CronSchedule {
    /// The words for whole schedules, for error messages.
    static let words = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]

    /// Reads a schedule. Fields are separated by any whitespace.
    package init(parsing text: String) throws(CronSyntaxError) {
        let fields = text.split(whereSeparator: \.isWhitespace).map(String.init)
        if let word = fields.first, word.hasPrefix("@") {
            let meaning = try Self.meaning(of: word)
            guard fields.count == 1 else { throw .textAfterWord(word, text: text) }
            try self.init(fields: meaning.split(separator: " ").map(String.init), of: meaning)
        } else {
            try self.init(fields: fields, of: text)
        }
    }

    private init(fields: [String], of text: String) throws(CronSyntaxError) {
        guard fields.count == 5 else { throw .fieldCount(fields.count, text: text) }
        minutes = try CronFieldParser(field: .minute, text: fields[0]).values()
        hours = try CronFieldParser(field: .hour, text: fields[1]).values()
        daysOfMonth = try CronFieldParser(field: .dayOfMonth, text: fields[2]).values()
        months = try CronFieldParser(field: .month, text: fields[3]).values()
        daysOfWeek = try CronFieldParser(field: .dayOfWeek, text: fields[4]).values()
        matchesEitherDay = !fields[2].hasPrefix("*") && !fields[4].hasPrefix("*")
    }

    private static func meaning(of word: String) throws(CronSyntaxError) -> String {
        switch word.lowercased() {
        case "@yearly", "@annually": "0 0 1 1 *"
        case "@monthly": "0 0 1 * *"
        case "@weekly": "0 0 * * 0"
        case "@daily", "@midnight": "0 0 * * *"
        case "@hourly": "0 * * * *"
        case "@reboot": throw .reboot
        default: throw .unknownWord(word)
        }
    }
}

/// The values that a field of a cron schedule allows: a set of numbers from 0 to 63.
struct CronValues: Sendable, Hashable {
    private var bits: UInt64 = 0

    init() {}

    /// Every `step`th number of the range, beginning with its first.
    init(_ range: ClosedRange<Int>, step: Int = 1) {
        for value in stride(from: range.lowerBound, through: range.upperBound, by: step) { insert(value) }
    }

    var isEmpty: Bool { bits == 0 }

    func contains(_ value: Int) -> Bool { bits >> UInt64(value) & 1 == 1 }

    /// The lowest that is not below `value`.
    func first(from value: Int = 0) -> Int? {
        // A shift by 64 or more gives 0.
        let remaining = (bits >> UInt64(value)) << UInt64(value)
        return remaining == 0 ? nil : remaining.trailingZeroBitCount
    }

    mutating func insert(_ value: Int) { bits |= 1 << UInt64(value) }

    func union(_ other: CronValues) -> CronValues { CronValues(bits: bits | other.bits) }

    func intersection(_ other: CronValues) -> CronValues { CronValues(bits: bits & other.bits) }

    private init(bits: UInt64) { self.bits = bits }
}
