import BackgroundWork
import BackgroundWorkSessionTesting
import Foundation
import TestSupport

// An app whose transfers are the simulated daemon's: DIRECTORY SOCKET, then what it does. It ends when its transfer has
// finished, and when it was launched for a session's events, not before it has called the handler for them.
//
//   --pause BYTES         pauses the next download when so much of it has arrived, if it does, and lets it go on
//   --attempts COUNT      of the next download
//   --download URL PATH   enqueues the download "file", unless it is there
//   --upload URL PATH     the same with an upload
//   --quick               lets time pass 20 times as fast
//   --launched SESSION    has been launched for the session's events

/// A line on standard output, at once.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

var rest = Array(CommandLine.arguments.dropFirst())
guard rest.count >= 2 else { exit(64) }
let sessions = try SimulatedSessions(socketPath: rest[1])
var configuration = WorkScheduler.Configuration(directory: URL(filePath: rest[0]))
configuration.sessionIdentifier = "app"
configuration.securityPolicy = .unrestricted
configuration.noticeHandler = { say("notice \($0)") }
configuration.useSimulatedSessions(sessions)
if let flag = rest.firstIndex(of: "--quick") {
    configuration.clock = QuickClock(factor: 20)
    rest.remove(at: flag)
}
rest.removeFirst(2)

// As UIKit does it: before there is a scheduler.
let (handled, handler) = AsyncStream<Void>.makeStream()
var isLaunched = false
if let flag = rest.firstIndex(of: "--launched"), rest.indices.contains(flag + 1) {
    let identifier = rest[flag + 1]
    isLaunched = true
    WorkScheduler.handleEvents(forBackgroundURLSession: identifier) {
        sessions.completionHandlerCalled(identifier)
        say("handler called")
        handler.finish()
    }
    rest.removeSubrange(flag...flag + 1)
}

let scheduler = try WorkScheduler(configuration: configuration, workers: WorkerRegistry())
let live = scheduler.eventBus.events
let durable = try await scheduler.eventBus.events(for: "test")
let delivery = Task {
    for await event in durable {
        say("event \(event.workID) \(event.outcome.rawValue) \(event.message ?? "")")
        try await event.acknowledge()
    }
}
var attempts = 1
var pauses: Int64?
let reports = scheduler.backgroundSessions.progress
while rest.count >= 2 {
    switch rest[0] {
    case "--pause":
        pauses = Int64(rest[1])
        rest.removeFirst(2)
    case "--attempts":
        attempts = Int(rest[1]) ?? 1
        rest.removeFirst(2)
    case "--download" where rest.count >= 3:
        var input = DownloadConfiguration(url: rest[1], savePath: rest[2])
        input.options.retry = .linear(initialDelay: .milliseconds(10), maximumAttempts: attempts, jitter: 0)
        if try await scheduler.info(id: "file") == nil {
            try await scheduler.backgroundSessions.enqueueDownload(configuration: input, id: "file")
        }
        rest.removeFirst(3)
    case "--upload" where rest.count >= 3:
        var input = UploadConfiguration(url: rest[1], filePath: rest[2])
        input.options.retry = .never
        if try await scheduler.info(id: "file") == nil {
            try await scheduler.backgroundSessions.enqueueUpload(configuration: input, id: "file")
        }
        rest.removeFirst(3)
    default: exit(64)
    }
}
try await scheduler.start()
// An earlier process may have ended between the two.
_ = try await scheduler.backgroundSessions.resume(id: "file")
if let pauses {
    Task {
        for await report in reports where report.bytes >= pauses { break }
        _ = try await scheduler.backgroundSessions.pause(id: "file")
        _ = try await scheduler.backgroundSessions.resume(id: "file")
    }
}
if try await scheduler.info(id: "file")?.state.isFinished == false {
    for await _ in live where try await scheduler.info(id: "file")?.state.isFinished == true { break }
}
if isLaunched { for await _ in handled {} }
await scheduler.shutdown()
say("done")
exit(0)
