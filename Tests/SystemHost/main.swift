import BackgroundWork
import BackgroundWorkSessionTesting
import Foundation
import TestSupport

// An app that the simulated system launches, suspends and ends: DIRECTORY SYSTEM STEPS EPOCH, then what it does. It never
// ends by itself. Its worker does as many steps as the input says, of a second each, and appends each one to the file STEPS.
//
//   --sessions SOCKET    its transfers are those of the simulated daemon there
//   --launched SESSION   has been launched for the session's events
//   --work ID COUNT      enqueues work of so many steps, unless it is there
//   --chain ID COUNT     the same with a chain of three
//   --download URL PATH  the same with the download "file"
//   --lock               takes a lock in the directory, and keeps it

/// A line on standard output, at once.
@Sendable func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

var rest = Array(CommandLine.arguments.dropFirst())
guard rest.count >= 4, let epoch = Double(rest[3]) else { exit(64) }
let (folder, log) = (rest[0], rest[2])
let system = try SimulatedSystemConnection(socketPath: rest[1])
rest.removeFirst(4)
// The same in each launch, from EPOCH on.
let clock = QuickClock(factor: 20, since: Date(timeIntervalSince1970: epoch))
var configuration = WorkScheduler.Configuration(directory: URL(filePath: folder))
configuration.clock = clock
configuration.securityPolicy = .unrestricted
configuration.sessionIdentifier = "app"
configuration.noticeHandler = { say("notice \($0)") }
configuration.useSimulatedSystem(system, identifier: "app")

/// The values of an option, which is taken out.
@MainActor
func take(_ option: String, _ count: Int) -> [String]? {
    guard let flag = rest.firstIndex(of: option), rest.indices.contains(flag + count) else { return nil }
    defer { rest.removeSubrange(flag...flag + count) }
    return Array(rest[flag + 1..<flag + 1 + count])
}

if let values = take("--sessions", 1) {
    let sessions = try SimulatedSessions(socketPath: values[0])
    configuration.useSimulatedSessions(sessions)
    if let launched = take("--launched", 1) {
        WorkScheduler.handleEvents(forBackgroundURLSession: launched[0]) {
            sessions.completionHandlerCalled(launched[0])
            say("handler called")
        }
    }
}
var workers = WorkerRegistry()
try workers.register("Steps") { input, context in
    let count = try JSONDecoder().decode(Int.self, from: Data((input ?? "0").utf8))
    var done = Int(context.checkpoint ?? "0") ?? 0
    while done < count {
        if context.stopReason != nil { throw CancellationError() }
        try await clock.sleep(for: .seconds(1))
        done += 1
        let file = try FileHandle(forWritingTo: URL(filePath: log))
        try file.seekToEnd()
        try file.write(contentsOf: Data("\(context.workID) \(done)\n".utf8))
        try await context.saveCheckpoint("\(done)")
    }
    return .success()
}
let scheduler = try WorkScheduler(configuration: configuration, workers: workers)
let events = try await scheduler.eventBus.events(for: "test")
Task {
    for await event in events {
        say("event \(event.workID) \(event.outcome.rawValue) \(event.attempt) \(event.message ?? "")")
        try await event.acknowledge()
    }
}
if let values = take("--work", 2), try await scheduler.info(id: values[0]) == nil {
    try await scheduler.enqueue(TaskRequest(workerClassName: "Steps", inputJSON: values[1]), id: values[0])
}
if let values = take("--chain", 2), try await scheduler.info(id: "\(values[0])/0.0") == nil {
    let step = TaskRequest(workerClassName: "Steps", inputJSON: values[1])
    try await scheduler.beginWith(step).then(step).then(step).enqueue(id: values[0])
}
if let values = take("--download", 2), try await scheduler.info(id: "file") == nil {
    try await scheduler.backgroundSessions.enqueueDownload(
        configuration: DownloadConfiguration(url: values[0], savePath: values[1]), id: "file")
}
var held: FileHandle?
if rest.contains("--lock") {
    _ = FileManager.default.createFile(atPath: folder + "/held", contents: nil)
    held = try FileHandle(forWritingTo: URL(filePath: folder + "/held"))
    flock(held?.fileDescriptor ?? -1, LOCK_EX)
}
try await scheduler.start()
say("started")
while true { try await Task.sleep(for: .seconds(3600)) }
