import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "queue", nil: try await QueueBenchmark().run()
#if os(Linux)
case "download" where arguments.count == 2: try await DownloadBenchmark(agent: arguments[1]).run()
#endif
default:
    FileHandle.standardError.write(Data("usage: bgwork-bench [queue | download AGENT-PROGRAM]\n".utf8))
    exit(64)
}
