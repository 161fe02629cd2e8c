import BackgroundWorkFoundation

/// A text is not a valid cron schedule. The description names the field, what was found, and what is valid.
package enum CronSyntaxError: Error, Hashable, CustomStringConvertible {
    /// There are not five fields.
    case fieldCount(Int, text: String)
    /// An unknown word that starts with `@`.
    case unknownWord(String)
    /// There is text after a word like `@daily`.
    case textAfterWord(String, text: String)
    /// `@reboot`, which is not a time.
    case reboot
    /// `part` of a field is neither a value nor a range of values.
    case value(part: String, text: String, field: CronField)
    /// `part` of a field is a range that ends before it starts; `instead` is the probably intended text.
    case backwardRange(part: String, text: String, field: CronField, instead: String)
    /// The number after the slash in `part` of a field cannot be used.
    case step(part: String, text: String, field: CronField)

    /// What is wrong, and what is valid.
    package var description: String {
        switch self {
        case .fieldCount(let count, let text):
            "A schedule has five fields (\(CronField.allCases.map(\.rawValue).joined(separator: ", "))), but \"\(text)\" "
                + (count == 6 ? "has 6. There is no field for seconds." : "has \(count).")
        case .unknownWord(let word):
            "\"\(word)\" is not a known word; valid words are \(CronSchedule.words.joined(separator: ", "))."
        case .textAfterWord(let word, let text): "\(word) must be the only text, but the schedule is \"\(text)\"."
        case .reboot:
            "@reboot is not a time. Enqueue the work when the program starts instead, or write one of "
                + "\(CronSchedule.words.joined(separator: ", "))."
        case .value(let part, let text, let field):
            Self.introduction(part, text, field) + "must be \(field.expectation)."
        case .backwardRange(let part, let text, let field, let instead):
            Self.introduction(part, text, field) + "must not run backwards; write \"\(instead)\"."
        case .step(let part, let text, let field):
            Self.introduction(part, text, field) + "must have a step of 1 to \(field.everything.count)."
        }
    }

    private static func introduction(_ part: String, _ text: String, _ field: CronField) -> String {
        let field = "The \(field.rawValue) field is \"\(text)\", but "
        return part == text ? field : field + "\"\(part)\" "
    }
}

extension CronSyntaxError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
