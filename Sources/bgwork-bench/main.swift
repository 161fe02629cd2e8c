import Foundation

switch CommandLine.arguments.dropFirst().first {
case "queue", nil: try await QueueBenchmark().run()
case let name?:
    FileHandle.standardError.write(Data("bgwork-bench: there is no benchmark \"\(name)\"; there is: queue\n".utf8))
    exit(64)
}
