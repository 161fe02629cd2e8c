/// Parts of reports that count things and name a few of them.
enum Listing {
    /// So many are named.
    private static let most = 5

    /// The number with the noun: "1 entry", "0 entries".
    static func count(_ number: Int, _ one: String, _ several: String) -> String {
        "\(number) \(number == 1 ? one : several)"
    }

    /// The first ones, and how many more there are.
    static func few(_ names: [String]) -> String {
        let named = names.prefix(most).joined(separator: ", ")
        return names.count > most ? "\(named) and \(names.count - most) more" : named
    }
}
