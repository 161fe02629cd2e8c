import Testing

@testable import BackgroundWorkModel

struct CronParsingTests {
    @Test(
        "what means the same is equal",
        arguments: [
            ("0 0 * * 0", "0 0 * * 7"), ("0 0 * * SUN", "@weekly"), ("0 0 1 jan *", "@annually"),
            ("0 0 * * Mon-fri", "0 0 * * 1,2,3,4,5"), ("0 0 * * FRI-SUN", "0 0 * * 5-7"),
            ("0 0 * * 6-0", "0 0 * * 0,6"),
            ("*/15 * * * *", "0,15,30,45 0-23 * * *"), ("  0\t0   * * *\n", "@midnight"),
            ("5/15 * * * *", "5,20,35,50 * * * *"),
            ("1-10/4,30 * * * *", "1,5,9,30 * * * *"), ("0 0 * * 5/2", "0 0 * * 5"), ("0 0 * * 7/3", "0 0 * * SUN/3"),
            ("0 0 * 10/1 *", "0 0 * OCT-DEC *"), ("*/60 */24 * * *", "@daily"), ("0,0 00 * * *", "@daily"),
        ])
    func equal(one: String, other: String) throws {
        #expect(try CronSchedule(parsing: one) == CronSchedule(parsing: other))
    }

    @Test(
        "what is wrong is named, with what would be right",
        arguments: [
            ("0 25 * * *", #"The hour field is "25", but must be 0 to 23."#),
            ("60 * * * *", #"The minute field is "60", but must be 0 to 59."#),
            ("1,x * * * *", #"The minute field is "1,x", but "x" must be 0 to 59."#),
            ("1,, * * * *", #"The minute field is "1,,", but "" must be 0 to 59."#),
            ("+5 * * * *", #"The minute field is "+5", but must be 0 to 59."#),
            ("0 0 0 * *", #"The day of month field is "0", but must be 1 to 31."#),
            ("0 0 L * *", #"The day of month field is "L", but must be 1 to 31."#),
            ("0 0 ? * *", #"The day of month field is "?", but must be 1 to 31."#),
            ("0 0 * 13 *", #"The month field is "13", but must be 1 to 12 or JAN to DEC."#),
            ("0 0 * * MONDAY", #"The day of week field is "MONDAY", but must be 0 to 7 or SUN to SAT."#),
            ("0 0 * * 8", #"The day of week field is "8", but must be 0 to 7 or SUN to SAT."#),
            ("0 0 * * 5-8", #"The day of week field is "5-8", but must be 0 to 7 or SUN to SAT."#),
            ("0 1-2-3 * * *", #"The hour field is "1-2-3", but must be 0 to 23."#),
            ("0 *-3 * * *", #"The hour field is "*-3", but must be 0 to 23."#),
            ("99999999999999999999 * * * *", #"The minute field is "99999999999999999999", but must be 0 to 59."#),
            ("0 22-2 * * *", #"The hour field is "22-2", but must not run backwards; write "22-23,0-2"."#),
            ("0 0 28-3 * *", #"The day of month field is "28-3", but must not run backwards; write "28-31,1-3"."#),
            (
                "0 0 * * FRI-MON",
                #"The day of week field is "FRI-MON", but must not run backwards; write "FRI-SAT,SUN-MON"."#
            ),
            ("0 0 * NOV-FEB *", #"The month field is "NOV-FEB", but must not run backwards; write "NOV-DEC,JAN-FEB"."#),
            ("*/0 * * * *", #"The minute field is "*/0", but must have a step of 1 to 60."#),
            ("*/90 * * * *", #"The minute field is "*/90", but must have a step of 1 to 60."#),
            ("*/ * * * *", #"The minute field is "*/", but must have a step of 1 to 60."#),
            ("*/5/5 * * * *", #"The minute field is "*/5/5", but must have a step of 1 to 60."#),
            ("0 0 * * */8", #"The day of week field is "*/8", but must have a step of 1 to 7."#),
            ("", #"A schedule has five fields (minute, hour, day of month, month, day of week), but "" has 0."#),
            (
                "0 0 * *",
                #"A schedule has five fields (minute, hour, day of month, month, day of week), but "0 0 * *" has 4."#
            ),
            (
                "0 0 12 * * *",
                #"A schedule has five fields (minute, hour, day of month, month, day of week), but "0 0 12 * * *" has 6. "#
                    + "There is no field for seconds."
            ),
            (
                "@every 5m",
                #""@every" is not a known word; valid words are @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly."#
            ),
            ("@daily 5", #"@daily must be the only text, but the schedule is "@daily 5"."#),
            (
                "@reboot",
                "@reboot is not a time. Enqueue the work when the program starts instead, or write one of "
                    + "@yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly."
            ),
        ])
    func complaints(text: String, complaint: String) {
        let error = #expect(throws: CronSyntaxError.self) { try CronSchedule(parsing: text) }
        #expect(error?.description == complaint)
    }
}
