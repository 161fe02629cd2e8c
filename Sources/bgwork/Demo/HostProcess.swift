#if os(Linux)
import Foundation
import Glibc

/// A host that the demo starts, and may kill.
final class HostProcess {
    private let process = Process()

    /// Starts the example host in a process of its own, printing to a log.
    init(order: DownloadOrder?, folder: DemoFolder) throws {
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        var arguments = ["demo-host", "--directory", folder.scheduler]
        if let order {
            arguments += ["--url", order.url, "--save-path", order.savePath]
            if let sha256 = order.sha256 { arguments += ["--sha256", sha256] }
        }
        process.arguments = arguments
        if !FileManager.default.fileExists(atPath: folder.hostLog) {
            try Data().write(to: URL(filePath: folder.hostLog))
        }
        let log = try FileHandle(forWritingTo: URL(filePath: folder.hostLog))
        try log.seekToEnd()
        process.standardOutput = log
        process.standardError = log
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    var id: pid_t { process.processIdentifier }

    var isRunning: Bool { process.isRunning }

    /// SIGKILL: the host gets no chance to do anything.
    func kill() { Glibc.kill(id, SIGKILL) }
}
#endif
