import BackgroundWork
import BackgroundWorkAgent
import BackgroundWorkSystem
import Foundation

// The host that the integration tests start, stop and kill. It runs the chain "c": a download, then a worker that
// leaves a line in effects.log, and ends when the chain has finished. With `--upload` it begins with an upload instead.

if !CommandLine.arguments.contains("--no-agent") { BackgroundWorkAgent.runIfRequested() }

switch CommandLine.arguments.dropFirst().first {
case "wake-client": try await WakeClient.run(Array(CommandLine.arguments.dropFirst(2)))
case "device-agent": try DeviceAgent.run(Array(CommandLine.arguments.dropFirst(2)))
case "archive": try await ArchiveHost.run(Array(CommandLine.arguments.dropFirst(2)))
case "chains": try await ChainsHost.run(Array(CommandLine.arguments.dropFirst(2)))
case "place": try await PlacingHost.run(Array(CommandLine.arguments.dropFirst(2)))
case "direct": try await StandaloneHost.run(Array(CommandLine.arguments.dropFirst(2)))
case "shared": try await SharedHost.run(Array(CommandLine.arguments.dropFirst(2)))
case "short": try await ShortHost.run(Array(CommandLine.arguments.dropFirst(2)))
case "once": try await OnceHost.run(Array(CommandLine.arguments.dropFirst(2)))
case "terminable": try await TerminableHost.run(Array(CommandLine.arguments.dropFirst(2)))
case "two-terminable": try await TwoTerminableHost.run(Array(CommandLine.arguments.dropFirst(2)))
case "hold-lock": try HoldLockHost.run(Array(CommandLine.arguments.dropFirst(2)))
case "hanging-path": try await HangingPathHost.run(Array(CommandLine.arguments.dropFirst(2)))
case "exiting": try await ExitingHost.run(Array(CommandLine.arguments.dropFirst(2)))
case "file-trigger": try await FileTriggerHost.run(Array(CommandLine.arguments.dropFirst(2)))
default: break
}

struct Options {
    var directory = ""
    var agent: String?
    var url: String?
    var savePath = ""
    /// A file to send to the URL in place of the download.
    var upload: String?
    var timeoutMs = 30_000
    var attempts = 4
    var onDuplicate = DuplicatePolicy.overwrite
    var relaunches = false
    var staysAlive = false
    /// Whether it exits as soon as the chain is enqueued, or found.
    var leavesAtOnce = false
    var policy = ExistingWorkPolicy.keep
    var sweepsOlderThan: Duration?
    /// A worker to run in place of the download.
    var worker: String?
    /// How long that one waits.
    var delay = Duration.zero
}

var options = Options()
var rest = Array(CommandLine.arguments.dropFirst())
while !rest.isEmpty {
    let name = rest.removeFirst()
    switch name {
    case "--relaunch": options.relaunches = true
    case "--no-agent": break
    case "--stay": options.staysAlive = true
    case "--leave": options.leavesAtOnce = true
    case "--replace": options.policy = .replace
    default:
        guard !rest.isEmpty else { exit(64) }
        let value = rest.removeFirst()
        switch name {
        case "--directory": options.directory = value
        case "--agent": options.agent = value
        case "--url": options.url = value
        case "--save-path": options.savePath = value
        case "--upload": options.upload = value
        case "--worker": options.worker = value
        case "--delay-ms": options.delay = .milliseconds(Int(value) ?? 0)
        case "--timeout-ms": options.timeoutMs = Int(value) ?? 0
        case "--on-duplicate":
            guard let policy = DuplicatePolicy(rawValue: value) else { exit(64) }
            options.onDuplicate = policy
        case "--attempts": options.attempts = Int(value) ?? 0
        case "--sweep-older-than-ms": options.sweepsOlderThan = .milliseconds(Int(value) ?? 0)
        default: exit(64)
        }
    }
}

let directory = options.directory
var workers = WorkerRegistry()
try workers.register("Effect") { _, context in
    let file = try FileHandle(forUpdating: URL(filePath: directory + "/effects.log"))
    try file.seekToEnd()
    try file.write(contentsOf: Data("\(context.workID) \(context.previousOutputs.joined())\n".utf8))
    try file.close()
    return .success(outputJSON: context.previousOutputs.first)
}
try workers.register("Crash") { _, _ in
    kill(getpid(), SIGKILL)
    return .success()
}
try workers.register("Endless") { _, context in
    say("endless attempt \(context.runAttempt)")
    try await Task.sleep(for: .seconds(86_400))
    return .success()
}
if !FileManager.default.fileExists(atPath: directory + "/effects.log") {
    try Data().write(to: URL(filePath: directory + "/effects.log"))
}

var configuration = WorkScheduler.Configuration(directory: URL(filePath: directory))
configuration.securityPolicy = .unrestricted
configuration.agentExecutable = options.agent
configuration.noticeHandler = { say("notice \($0)") }
if options.relaunches {
    var command = LaunchCommand.thisProgram(
        arguments: ["--directory", directory, "--relaunch"] + (options.agent.map { ["--agent", $0] } ?? []))
    // A host that the agent starts is an ordinary one, whatever was preloaded into the first.
    command.environment["LD_PRELOAD"] = nil
    configuration.launchCommand = command
}
let scheduler = try WorkScheduler(configuration: configuration, workers: workers)
let live = scheduler.eventBus.events
let durable = try await scheduler.eventBus.events(for: "test")
let delivery = Task {
    for await event in durable {
        say("event \(event.sequence) \(event.workID) \(event.outcome.rawValue) \(event.message ?? "")")
        try await event.acknowledge()
    }
}
if let age = options.sweepsOlderThan { say("sweep \(try await scheduler.sweepStaleStateOnLaunch(olderThan: age))") }
try await scheduler.start()

if let worker = options.worker, try await scheduler.infos(chainID: "c").isEmpty {
    let request = TaskRequest(workerClassName: worker, delay: options.delay)
    try await scheduler.beginWith(request).then(TaskRequest(workerClassName: "Effect")).enqueue(id: "c")
}
if let url = options.url {
    let isNew = try await scheduler.infos(chainID: "c").isEmpty
    if isNew || options.policy == .replace {
        let transfer = try options.upload.map { try upload($0, to: url) } ?? download(url)
        let result = try await scheduler.beginWith(transfer).then(TaskRequest(workerClassName: "Effect"))
            .enqueue(id: "c", policy: options.policy)
        say("enqueued \(result)")
    }
}

if options.leavesAtOnce { exit(0) }
if options.relaunches {
    Task {
        for await info in scheduler.updates(id: "c/0.0") where info.state == .handedOff {
            await scheduler.tellWakes()
            say("told after the hand-off")
        }
    }
}

/// What is tried again is the request.
@MainActor
func request(_ worker: String, _ input: some Encodable) throws -> TaskRequest {
    TaskRequest(
        workerClassName: worker, inputJSON: String(decoding: try JSONEncoder().encode(input), as: UTF8.self),
        retryPolicy: .linear(initialDelay: .milliseconds(50), maximumAttempts: options.attempts, jitter: 0))
}

@MainActor
func download(_ url: String) throws -> TaskRequest {
    var input = DownloadConfiguration(url: url, savePath: options.savePath)
    input.onDuplicate = options.onDuplicate
    input.options.stallTimeout = .milliseconds(options.timeoutMs)
    input.options.retry = .never
    return try request("BackgroundDownloadWorker", input)
}

@MainActor
func upload(_ path: String, to url: String) throws -> TaskRequest {
    var input = UploadConfiguration(url: url, filePath: path)
    input.options.retry = .never
    return try request("BackgroundUploadWorker", input)
}

if options.staysAlive {
    await scheduler.runUntilTerminated()
    exit(0)
}
/// Whether every member of the chain has finished.
func isFinished() async throws -> Bool {
    let infos = try await scheduler.infos(chainID: "c")
    return !infos.isEmpty && infos.allSatisfy { $0.state.isFinished }
}
if try await !isFinished() {
    for await _ in live where try await isFinished() { break }
}
await scheduler.shutdown()
say("done")
exit(0)
