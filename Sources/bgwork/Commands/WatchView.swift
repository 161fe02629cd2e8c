import BackgroundWorkConsole

/// How a watch is shown.
protocol WatchView {
    mutating func begin(_ board: WatchBoard)
    mutating func changed(_ changes: [WatchBoard.Change], _ board: WatchBoard)
    /// Called ten times a second.
    mutating func tick(_ board: WatchBoard)
    mutating func complain(_ text: String)
    mutating func end(_ board: WatchBoard)
}

/// Bars that are redrawn in place.
struct LiveWatchView: WatchView {
    private var live = LiveLines()

    mutating func begin(_ board: WatchBoard) { tick(board) }
    mutating func changed(_ changes: [WatchBoard.Change], _ board: WatchBoard) {}
    mutating func tick(_ board: WatchBoard) {
        let (width, height) = Window.size
        live.draw(TransferScreen.lines(board.transfers, width: width, height: height), width: width)
    }
    mutating func complain(_ text: String) {}
    mutating func end(_ board: WatchBoard) {
        tick(board)
        live.end()
    }
}

/// Lines that are not redrawn.
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
