import BackgroundWorkSystem
import Foundation
import TestSupport

/// A D-Bus for one test, where every client may own any name.
final class PrivateBus {
    private let folder: TemporaryFolder
    private let daemon: ChildProcess

    let address: String

    private static let program = "/usr/bin/dbus-daemon"
    static let isPossible = FileManager.default.isExecutableFile(atPath: program) && SDBus.isThere

    init() async throws {
        folder = try TemporaryFolder()
        address = "unix:path=\(folder.path)/bus"
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <listen>\(address)</listen>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow own="*"/>
                <allow eavesdrop="true"/>
                <allow user="*"/>
              </policy>
            </busconfig>
            """
        try Data(configuration.utf8).write(to: URL(filePath: "\(folder.path)/bus.conf"))
        // It prints its address when it listens.
        daemon = try await ChildProcess.untilItSpeaks(
            [Self.program, "--nofork", "--nopidfile", "--print-address", "--config-file=\(folder.path)/bus.conf"])
    }

    deinit { stop() }

    func stop() { daemon.send(SIGKILL) }
}
