#if os(Linux)
import BackgroundWorkConsole

/// An object on a line for each report.
struct JSONWatchView: WatchView {
    mutating func begin(_ board: WatchBoard) {
        for transfer in board.transfers where !transfer.hasEnded { say(.init(transfer: transfer)) }
    }
    mutating func changed(_ changes: [WatchBoard.Change], _ board: WatchBoard) { for change in changes { say(change) } }
    mutating func tick(_ board: WatchBoard) {}
    mutating func complain(_ text: String) { Output.complain(text) }
    mutating func end(_ board: WatchBoard) {}

    private func say(_ change: WatchBoard.Change) {
        let line = try? change.isGone ? TransferJSON.lineOfGone(change.transfer) : TransferJSON.line(change.transfer)
        line.map(Output.line)
    }
}
#endif
