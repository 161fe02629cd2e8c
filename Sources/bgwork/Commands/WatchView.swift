#if os(Linux)
/// How a watch is shown.
protocol WatchView {
    mutating func begin(_ board: WatchBoard)
    mutating func changed(_ changes: [WatchBoard.Change], _ board: WatchBoard)
    /// Comes ten times a second.
    mutating func tick(_ board: WatchBoard)
    mutating func complain(_ text: String)
    mutating func end(_ board: WatchBoard)
}
#endif
