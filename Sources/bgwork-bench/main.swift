import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "queue", nil: try await QueueBenchmark().run()
#if os(Linux)
case "download" where arguments.count == 2: try await DownloadBenchmark(agent: arguments[1]).run()
case "transfers":
    guard let benchmark = TransfersBenchmark(arguments.dropFirst()) else {
        FileHandle.standardError.write(Data((TransfersBenchmark.usage + "\n").utf8))
        exit(64)
    }
    try await benchmark.run()
case "scale" where arguments.count == 1: try await ScaleBenchmark().run()
// A part of `scale` that needs a process of its own.
case "scale-opening" where arguments.count == 2: try await MemoryCost.openInThisProcess(arguments[1])
#endif
default:
    FileHandle.standardError.write(
        Data("usage: bgwork-bench [queue | download AGENT-PROGRAM | transfers … | scale]\n".utf8))
    exit(64)
}
