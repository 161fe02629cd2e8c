import BackgroundWork
import BackgroundWorkConsole
import BackgroundWorkTransfers
import Foundation

/// `bgwork transfers watch`: until no transfer is running or waiting.
struct WatchCommand {
    private let folder: TransfersFolder
    private let isJSON: Bool

    init(_ arguments: inout Arguments) throws {
        folder = try TransfersFolder(&arguments)
        isJSON = arguments.flag("--json")
        try arguments.finish()
    }

    func run() async throws -> Int32 {
        let observer = TransferObserver(folder)
        let first = try await observer.transfers()
        guard first.contains(where: { !$0.hasEnded }) else {
            if !isJSON { Output.line(first.isEmpty ? "no transfers" : "no running or waiting transfers") }
            await observer.stop()
            return 0
        }
        await observer.follow()
        var view = makeView()
        var board = WatchBoard(first)
        view.begin(board)
        for await event in events(of: observer) {
            switch event {
            case .observed(.list(let transfers)): view.changed(board.take(transfers), board)
            case .observed(.progress(let reports)): view.changed(board.take(reports), board)
            case .observed(.unreachable(let reason)): view.complain("the agent cannot be reached: \(reason)")
            case .tick: view.tick(board)
            }
            if board.isDone { break }
        }
        view.end(board)
        await observer.stop()
        return 0
    }

    private func makeView() -> any WatchView {
        if isJSON { return JSONWatchView() }
        return Window.isThere ? LiveWatchView() : PlainWatchView()
    }

    private enum Event: Sendable {
        case observed(TransferObserver.Observation)
        case tick
    }

    /// The agent's reports, with ticks for drawing, and each second the whole list: a canceled transfer ends without a
    /// report, and the name of a new one is only in the list.
    private func events(of observer: TransferObserver) -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        let tasks = [
            Task {
                for await observation in observer.observations { continuation.yield(.observed(observation)) }
            },
            Task {
                var count = 0
                while !Task.isCancelled {
                    try await Task.sleep(for: .milliseconds(100))
                    count += 1
                    if count % 10 == 0, let list = try? await observer.transfers() {
                        continuation.yield(.observed(.list(list)))
                    }
                    continuation.yield(.tick)
                }
            },
        ]
        continuation.onTermination = { _ in for task in tasks { task.cancel() } }
        return stream
    }
}
