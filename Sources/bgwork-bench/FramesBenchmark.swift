import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation

/// What writing and reading the messages that come with each transfer takes, by hand and through Foundation's coders.
struct FramesBenchmark {
    var rounds = 4000
    var repeats = 7

    func run() throws {
        try measure("reserve", ClientFrame(id: 4711, request: .reserve(specification: .init(Self.specification))))
        try measure("resume", ClientFrame(id: 4711, request: .resume(reference: Self.specification.reference)))
        try measure(
            "acknowledge", ClientFrame(id: 4711, request: .acknowledge(reference: Self.specification.reference)))
        try measure("reserved", AgentFrame.reply(id: 4711, reply: .reserved(taskIdentifier: 815)))
        try measure("done", AgentFrame.reply(id: 4711, reply: .done))
        try measure("outcome", AgentFrame.outcome(Self.outcome))
        try measure("progress of 100", AgentFrame.progress(list: Array(repeating: Self.progress, count: 100)))
        try measure("specification", Self.specification)
        try measure("download output", Self.output)
        try measure("file move", Self.move)
        try measure("download input", Self.input)
    }

    private func measure<Value: FastJSONCodable>(_ title: String, _ value: Value) throws {
        let bytes = Array(try FastJSON.text(of: value).utf8)
        let writing = try microseconds { _ = try FastJSON.text(of: value) }
        let encoding = try microseconds { _ = try JSONCoding.text(of: value) }
        let reading = try microseconds {
            _ = try bytes.withUnsafeBufferPointer { try Value(json: JSONObject($0)) }
        }
        let decoding = try microseconds {
            _ = try bytes.withUnsafeBufferPointer { try JSONCoding.value(Value.self, from: $0) }
        }
        print(
            "\(title) (\(bytes.count) bytes): written in \(writing.short) µs, by the encoder \(encoding.short) "
                + "(\((encoding / writing).short) times); read in \(reading.short) µs, by the decoder "
                + "\(decoding.short) (\((decoding / reading).short) times)")
    }

    private func microseconds(_ body: () throws -> Void) throws -> Double {
        let clock = ContinuousClock()
        var times: [Double] = []
        for _ in 0..<repeats {
            let start = clock.now
            for _ in 0..<rounds { try body() }
            times.append(start.duration(to: clock.now).inMilliseconds * 1000 / Double(rounds))
        }
        return times.median
    }

    private static let specification: TransferSpecification = {
        var options = TransferOptions()
        options.headers = ["Authorization": "Bearer 0123456789abcdef", "Accept": "application/octet-stream"]
        options.group = "library-import"
        options.proxy = .direct
        return TransferSpecification(
            reference: TransferReference(
                store: "5B0F6C1E-8C5E-4E0B-9E37-1E5D7C1B1A11",
                key: TransferKey(workID: "library-import-2026/0.4711", generation: 1)),
            sessionIdentifier: "com.example.background-downloads",
            url: "https://downloads.example.com/library/2026/item-4711/original-file.bin", options: options,
            securityPolicy: .publicInternet,
            savePath: "/home/somebody/.local/share/example/library/downloads/2026/item-4711/original-file.bin",
            workerName: "BackgroundDownloadWorker")
    }()

    private static let outcome: TransferOutcome = {
        var details = TransferDetails()
        details.durationMs = 12
        details.headers = [
            "content-type": "application/octet-stream", "etag": "\"5e8c-1b1a11\"", "content-length": "8192",
            "last-modified": "Sat, 21 Feb 2026 10:00:00 GMT",
        ]
        return TransferOutcome(
            reference: specification.reference, sessionIdentifier: specification.sessionIdentifier,
            taskIdentifier: 815, savePath: specification.savePath, workerName: specification.workerName,
            result: .delivered(
                stagingPath: "/home/somebody/.local/share/example/agent/staging/815", bytes: 8192, statusCode: 200,
                finalURL: specification.url), details: details)
    }()

    private static let progress = TransferProgress(
        workID: specification.reference.key.workID, sessionIdentifier: specification.sessionIdentifier,
        taskIdentifier: 815, group: specification.options.group, phase: .waiting(.slot), bytes: 0, totalBytes: nil,
        bytesPerSecond: nil)

    private static let output: DownloadOutput = {
        var output = DownloadOutput(savePath: specification.savePath, bytes: 8192)
        output.statusCode = 200
        output.url = specification.url
        output.headers = outcome.details?.headers
        output.durationMs = 12
        output.requests = 1
        return output
    }()

    private static let move = FileMove(
        temporaryPath: "/home/somebody/.local/share/example/agent/staging/815.part",
        targetPath: specification.savePath, identity: FileIdentity(device: 2049, inode: 4_711_815, bytes: 8192),
        particulars: try? FastJSON.text(of: output))

    private static let input = DownloadConfiguration(url: specification.url, savePath: specification.savePath)
}
