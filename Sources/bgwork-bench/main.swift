import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch arguments.first {
    case "queue", nil:
        guard let options = QueueOptions(arguments.dropFirst()) else {
            FileHandle.standardError.write(Data((QueueOptions.usage + "\n").utf8))
            exit(64)
        }
        let end = try await QueueBenchmark(options).run()
        exit(end.rawValue)
    // A part of `queue` that needs a process of its own.
    case "queue-part" where arguments.count >= 2:
        guard let part = QueuePart(rawValue: arguments[1]), let options = PartOptions(arguments.dropFirst(2)) else {
            exit(64)
        }
        try await part.run(options)
    case "frames" where arguments.count == 1: try FramesBenchmark().run()
    case "state" where arguments.count == 1: try await StateBenchmark().run()
    // A part of `state` that needs a process of its own.
    case "state-cold" where arguments.count == 3:
        guard let kind = ColdRead.Kind(rawValue: arguments[1]) else { exit(64) }
        try ColdRead.inThisProcess(kind, folder: arguments[2])
    case "download" where arguments.count == 2: try await DownloadBenchmark(agent: arguments[1]).run()
    case "transfers":
        guard let benchmark = TransfersBenchmark(arguments.dropFirst()) else {
            FileHandle.standardError.write(Data((TransfersBenchmark.usage + "\n").utf8))
            exit(64)
        }
        try await benchmark.run()
    case "http":
        guard let benchmark = HTTPBenchmark(arguments.dropFirst()) else {
            FileHandle.standardError.write(Data((HTTPBenchmark.usage + "\n").utf8))
            exit(64)
        }
        try await benchmark.run()
    // A part of `http` that needs a process of its own.
    case "http-part" where arguments.count >= 3: try await HTTPPart.run(Array(arguments.dropFirst()))
    case "archive":
        guard let benchmark = ArchiveBenchmark(arguments.dropFirst()) else {
            FileHandle.standardError.write(Data((ArchiveBenchmark.usage + "\n").utf8))
            exit(64)
        }
        try await benchmark.run()
    // A part of `archive` that needs a process of its own.
    case "archive-part": try await ArchivePart.run(Array(arguments.dropFirst()))
    case "rate":
        guard let benchmark = RateBenchmark(arguments.dropFirst()) else {
            FileHandle.standardError.write(Data(RateBenchmark.usage.utf8))
            exit(64)
        }
        exit(try await benchmark.run() ? 0 : 1)
    case "validation" where arguments.count == 1: try await ValidationBenchmark().run()
    case "scale" where arguments.count == 1: try await ScaleBenchmark().run()
    // A part of `scale` that needs a process of its own.
    case "scale-opening" where arguments.count == 2: try await MemoryCost.openInThisProcess(arguments[1])
    default:
        let usage = """
            usage: bgwork-bench [queue … | frames | download AGENT-PROGRAM | transfers … | http … | archive …
                                 | rate … | scale | state | validation]

            """
        FileHandle.standardError.write(Data(usage.utf8))
        exit(64)
    }
} catch {
    FileHandle.standardError.write(Data("bgwork-bench: \(error)\n".utf8))
    exit(1)
}
