import Foundation

/// What `bgwork demo` was asked to do.
struct DemoOptions {
    enum Kill { case none, host, hostAndAgent }

    /// The user's own file; `nil` for one that the demo makes and serves.
    var order: DownloadOrder?
    var kill: Kill
    /// Whether the demo's folder is kept for inspection.
    var keepsFolder: Bool

    init(_ arguments: inout Arguments) throws {
        order = try DownloadOrder(&arguments)
        let (noKill, killAgent) = (arguments.flag("--no-kill"), arguments.flag("--kill-agent"))
        if noKill && killAgent { throw UsageError(description: "--no-kill and --kill-agent contradict each other") }
        kill = noKill ? .none : killAgent ? .hostAndAgent : .host
        keepsFolder = arguments.flag("--keep")
        try arguments.finish()
        if let path = order?.savePath, !path.hasPrefix("/") {
            order?.savePath = URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
        }
    }
}

/// The demo could not continue.
struct DemoFailure: Error, CustomStringConvertible {
    var description: String
}
