#if os(Linux)
import BackgroundWorkConsole

/// Lines that stay.
struct PlainWatchView: WatchView {
    private var lines = ChangeLines()

    mutating func begin(_ board: WatchBoard) {
        for transfer in board.transfers where !transfer.hasEnded { say(transfer) }
    }
    mutating func changed(_ changes: [WatchBoard.Change], _ board: WatchBoard) {
        for change in changes {
            if change.isGone {
                Output.line("\(change.transfer.number) \(change.transfer.name): gone")
            } else {
                say(change.transfer)
            }
        }
    }
    mutating func tick(_ board: WatchBoard) {}
    mutating func complain(_ text: String) { Output.complain(text) }
    mutating func end(_ board: WatchBoard) {}

    private mutating func say(_ transfer: ShownTransfer) { lines.line(for: transfer).map(Output.line) }
}
#endif
