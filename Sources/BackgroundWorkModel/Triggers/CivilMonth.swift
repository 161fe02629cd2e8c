/// A month of the Gregorian calendar, also for times before its introduction (proleptic).
///
/// Days are counted from the first of January 1970, which is 0.
package struct CivilMonth {
    private(set) var year: Int64
    /// 1 to 12.
    private(set) var month: Int

    /// - Parameter month: 1 to 12.
    package init(year: Int64, month: Int) {
        self.year = year
        self.month = month
    }

    /// The month of a day, and which day of the month that is, from 1 on.
    static func containing(day: Int64) -> (month: CivilMonth, dayOfMonth: Int) {
        // Years are counted from the first of March, so that the leap day is the last day of a year, and in cycles of
        // 400 years, which are all equal.
        let sinceMarch = day + daysFromMarchOfYear0
        let cycle = sinceMarch.flooredQuotient(by: daysInCycle)
        let dayOfCycle = sinceMarch - cycle * daysInCycle
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        // The lengths of the months from March on repeat every five months, which are 153 days.
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        let year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
        return (CivilMonth(year: year, month: month), Int(dayOfYear - (153 * monthFromMarch + 2) / 5) + 1)
    }

    /// The number of the month's first day.
    package var firstDay: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let cycle = marchYear.flooredQuotient(by: 400)
        let yearOfCycle = marchYear - cycle * 400
        let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * monthFromMarch + 2) / 5
        let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
        return cycle * Self.daysInCycle + dayOfCycle - Self.daysFromMarchOfYear0
    }

    /// How many days it has.
    var length: Int { month == 2 && !isInLeapYear ? 28 : Self.longest(month) }

    /// The month after this one.
    var next: CivilMonth {
        month == 12 ? CivilMonth(year: year + 1, month: 1) : CivilMonth(year: year, month: month + 1)
    }

    /// How many days a month can have.
    static func longest(_ month: Int) -> Int {
        switch month {
        case 2: 29
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private var isInLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static let daysInCycle: Int64 = 146_097
    /// From the first of March of the year 0 to the first of January 1970.
    private static let daysFromMarchOfYear0: Int64 = 719_468
}

extension Int64 {
    /// The quotient rounded down, where `/` rounds towards zero: a time before 1970 belongs to the day that contains
    /// it.
    func flooredQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
