import BackgroundWorkConsole
import Foundation

/// `bgwork transfers …`. Each command returns the program's exit status.
enum TransfersCommand {
    static func run(_ arguments: inout Arguments) async throws -> Int32 {
        let name = arguments.first()
        switch name {
        case "list": return try await list(&arguments)
        case "watch": return try await WatchCommand(&arguments).run()
        case "add": return try await AddCommand(&arguments).run()
        case "pause": return try await ControlCommand(.pause, &arguments).run()
        case "resume": return try await ControlCommand(.resume, &arguments).run()
        case "cancel": return try await ControlCommand(.cancel, &arguments).run()
        case "settle": return try await SettleCommand(&arguments).run()
        case let name:
            throw UsageError(
                description: name.map { "there is no command \"transfers \($0)\"" }
                    ?? "transfers needs one of list, watch, add, pause, resume, cancel")
        }
    }

    private static func list(_ arguments: inout Arguments) async throws -> Int32 {
        let folder = try TransfersFolder(&arguments)
        let isJSON = arguments.flag("--json")
        try arguments.finish()
        let observer = TransferObserver(folder)
        let transfers = try await observer.transfers()
        await observer.stop()
        if isJSON {
            Output.line(try TransferJSON.array(transfers))
        } else if transfers.isEmpty {
            Output.line("no transfers")
        } else {
            let width = Window.isThere ? Window.size.width : 80
            for line in TransferTable.lines(transfers, width: width) { Output.line(line) }
        }
        return 0
    }
}
