#if os(Linux)
import BackgroundWorkConsole

/// How far one transfer is: a bar on a terminal, lines elsewhere.
struct OwnLine {
    private var live: LiveLines?
    private var lines = ChangeLines()
    private var last: ShownTransfer?

    mutating func show(_ transfer: ShownTransfer) {
        last = transfer
        guard Window.isThere else {
            lines.line(for: transfer).map(Output.line)
            return
        }
        if live == nil { live = LiveLines() }
        let width = Window.size.width
        live?.draw([TransferScreen.line(transfer, width: max(1, width - 1))], width: width)
    }

    /// Shows the whole way: the last report may have been one before that.
    mutating func succeed() {
        guard var transfer = last, let total = transfer.totalBytes else { return }
        (transfer.phase, transfer.bytes, transfer.bytesPerSecond) = (.succeeded, total, nil)
        show(transfer)
    }

    /// May be called more than once.
    mutating func end() {
        live?.end()
        live = nil
    }
}
#endif
