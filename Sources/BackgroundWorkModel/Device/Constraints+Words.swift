extension Constraints: CustomStringConvertible {
    /// The conditions in words, in the order in which they are declared: "a network, external power".
    public var description: String { inWords.joined(separator: ", ") }

    /// One phrase for each condition.
    package var inWords: [String] {
        var words: [String] = []
        if contains(.unmeteredNetwork) {
            words.append("an unmetered network")
        } else if contains(.network) {
            words.append("a network")
        } else if !isDisjoint(with: .unmeteredNetwork) {
            words.append("a network that is not metered")
        }
        if contains(.charging) { words.append("external power") }
        if contains(.batteryNotLow) { words.append("a battery that is not low") }
        if contains(.storageNotLow) { words.append("free storage") }
        if contains(.deviceIdle) { words.append("an idle device") }
        return words
    }
}
