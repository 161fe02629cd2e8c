import BackgroundWork

/// What the example host is asked to fetch.
struct DownloadOrder {
    var url: String
    var savePath: String
    /// What the file must have; `nil` if that is not known.
    var sha256: String?

    /// The download as a request.
    var request: TaskRequest {
        TaskRequest(
            BackgroundDownloadWorker.self, input: DownloadConfiguration(url: url, savePath: savePath),
            retryPolicy: .exponential(initialDelay: .seconds(1), maximumAttempts: 5))
    }
}

extension DownloadOrder {
    /// Reads `--url URL --save-path PATH [--sha256 HEX]`; `nil` when none is given.
    init?(_ arguments: inout Arguments) throws {
        let (url, savePath) = (try arguments.value("--url"), try arguments.value("--save-path"))
        let sha256 = try arguments.value("--sha256")?.lowercased()
        switch (url, savePath) {
        case (nil, nil): return nil
        case (let url?, let savePath?): self.init(url: url, savePath: savePath, sha256: sha256)
        default: throw UsageError(description: "--url and --save-path go together")
        }
    }
}
