import BackgroundWorkSessionTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// A workplace whose app is launched, suspended and ended by a simulated system.
final class SystemPlace: Sendable {
    let place: Workplace
    let system: SimulatedSystem
    let daemon: SimulatedURLSessionDaemon
    private let launcher: Launcher

    /// - Parameters:
    ///   - permitted: the identifiers in the app's Info.plist.
    ///   - arguments: of the app, at each launch.
    init(
        permitted: Set<String> = ["app.refresh", "app.processing", "app.processing.network"],
        _ arguments: (Workplace) -> [String]
    ) throws {
        let place = try Workplace()
        self.place = place
        _ = FileManager.default.createFile(atPath: place.folder.path + "/steps", contents: nil)
        let launcher = Launcher(place, arguments(place))
        self.launcher = launcher
        daemon = try SimulatedURLSessionDaemon { launcher.launch(["--launched", $0]) }
        system = try SimulatedSystem(permitted: permitted, container: place.directory) { _ in launcher.launch() }
        launcher.sockets.withLock { $0 = (system.socketPath, daemon.socketPath) }
    }

    deinit {
        launcher.end()
        daemon.stop()
    }

    /// The steps that the app has done, in their order.
    var steps: [String] {
        ((try? String(contentsOfFile: place.folder.path + "/steps", encoding: .utf8)) ?? "").split(separator: "\n")
            .map(String.init)
    }

    func wait(forSteps count: Int) async throws {
        try await place.wait(for: "\(count) steps") { steps.count >= count }
    }

    /// The lines that the app has printed, of one kind.
    func said(_ prefix: String) -> [String] { place.lines(of: place.hostLog).filter { $0.hasPrefix(prefix) } }

    /// Ends the app's process, if the system has not. It is reaped: one that is not counts as one that is there.
    func end() async {
        // The next process may be launched as soon as this one is gone, and is not meant.
        let processes = launcher.taken()
        await system.end()
        for process in processes {
            process.send(SIGKILL)
            while await process.nextChange() == .stopped {}
        }
    }

    var launches: Int { launcher.launches.load(ordering: .relaxed) }

    private final class Launcher: Sendable {
        let place: Workplace
        let arguments: [String]
        let sockets = Mutex<(system: String, daemon: String)?>(nil)
        let launches = Atomic(0)
        private let epoch = Date().timeIntervalSince1970
        private let processes = Mutex<[ChildProcess]>([])

        init(_ place: Workplace, _ arguments: [String]) {
            self.place = place
            self.arguments = arguments
        }

        func launch(_ more: [String] = []) {
            guard let sockets = sockets.withLock({ $0 }) else { return }
            do {
                let process = try ChildProcess(
                    Programs.systemHost,
                    [
                        place.directory, sockets.system, place.folder.path + "/steps", "\(epoch)", "--sessions",
                        sockets.daemon,
                    ] + more
                        + arguments, environment: place.hostEnvironment(stoppingAt: nil), log: place.hostLog)
                processes.withLock { $0.append(process) }
                launches.add(1, ordering: .relaxed)
            } catch {
                Issue.record("The app could not be launched: \(error)")
            }
        }

        /// What was launched since the last call.
        func taken() -> [ChildProcess] {
            processes.withLock { processes in
                defer { processes = [] }
                return processes
            }
        }

        /// Kills what runs.
        func end() { for process in taken() { process.send(SIGKILL) } }
    }
}
