#if os(Linux)
import BackgroundWorkConsole

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
#endif
