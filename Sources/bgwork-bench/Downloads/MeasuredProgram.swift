import BackgroundWorkSystem
import Foundation

/// Another program, with what it cost by itself.
enum MeasuredProgram {
    struct Cost: Sendable {
        var seconds: Double
        var cpuSeconds: Double
    }

    /// Runs a program to its end, without blocking the cooperative pool. Throws when it does not end with status 0.
    static func run(_ name: String, _ arguments: [String]) async throws -> Cost {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try blockingRun(name, arguments) }) }
        }
    }

    private static func blockingRun(_ name: String, _ arguments: [String]) throws -> Cost {
        var argv: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) } + [nil]
        defer { for one in argv { free(one) } }
        var process: pid_t = 0
        var usage = rusage()
        var status: Int32 = 0
        let clock = ContinuousClock()
        let start = clock.now
        // Dispatch's threads block all signals, and a program like `timeout` would inherit that.
        var attributes = posix_spawnattr_t()
        var none = sigset_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let code = posix_spawnp(&process, name, nil, &attributes, &argv, environ)
        guard code == 0 else {
            throw CommandLineTool.Failed(
                description: "\(name) could not be started: \(String(cString: strerror(code)))")
        }
        while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        let seconds = start.duration(to: clock.now).inMilliseconds / 1000
        guard status == 0 else { throw CommandLineTool.Failed(description: "\(name) ended with wait status \(status)") }
        return Cost(seconds: seconds, cpuSeconds: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime))
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}

/// The programs that the agent is measured against and with.
enum NeededPrograms {
    struct Missing: Error, CustomStringConvertible {
        var names: [String]
        var description: String {
            "The benchmark needs \(names.joined(separator: ", ")). On Debian: apt-get install nginx-light curl aria2 strace"
        }
    }

    /// Throws ``Missing`` with those that are in no folder of PATH, nor where nginx is.
    static func check(_ names: [String]) throws {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin"]
        let missing = names.filter { name in
            !folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
        }
        if !missing.isEmpty { throw Missing(names: missing) }
    }
}
