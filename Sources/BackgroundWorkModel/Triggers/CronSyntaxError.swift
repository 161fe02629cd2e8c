/// A crontab line cannot be read. Says which field, what was found, and what would be right.
public struct CronSyntaxError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, without the line.
    public let description: String

    package init(_ description: String) { self.description = description }
}
