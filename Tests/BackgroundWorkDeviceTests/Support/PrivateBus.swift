#if os(Linux)
import Foundation
import Glibc
import TestSupport

/// A D-Bus of a test's own, where anybody may own any name.
final class PrivateBus {
    private let folder: TemporaryFolder
    private let daemon = Process()

    let address: String

    static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon") && SDBus.isThere

    init() throws {
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
        let output = Pipe()
        daemon.executableURL = URL(filePath: "/usr/bin/dbus-daemon")
        daemon.arguments = ["--nofork", "--nopidfile", "--print-address", "--config-file=\(folder.path)/bus.conf"]
        daemon.standardOutput = output
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        // It prints its address when it listens.
        _ = output.fileHandleForReading.availableData
    }

    deinit { stop() }

    func stop() {
        // SIGTERM may be blocked in it: it has inherited the mask of the thread that it was started from.
        if daemon.isRunning { kill(daemon.processIdentifier, SIGKILL) }
    }
}
#endif
