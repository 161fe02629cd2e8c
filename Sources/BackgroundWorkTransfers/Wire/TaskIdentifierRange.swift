/// The numbers that transfers are given.
package enum TaskIdentifierRange {
    /// A number above this was given by nobody: it would leave none for those that follow. Whoever finds one, in a state
    /// file that somebody has written, does not count on from it.
    package static let largest: Int64 = .max / 2

    /// The highest number from which is to be counted on; 0 if there is none.
    package static func highest(of identifiers: some Sequence<Int64>) -> Int64 {
        identifiers.lazy.filter { $0 <= largest }.max() ?? 0
    }
}
