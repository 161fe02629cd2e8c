extension CronSchedule {
    /// The words that stand for whole schedules, for people to choose from.
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
        eitherDayWillDo = !fields[2].hasPrefix("*") && !fields[4].hasPrefix("*")
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
