import BackgroundWorkFiles
import BackgroundWorkSystem

/// The folder of the user's own systemd units.
struct UnitFolder {
    let path: String

    struct NoHome: Error, CustomStringConvertible {
        let description =
            "neither XDG_CONFIG_HOME nor HOME is an absolute path, so the folder of user units is unknown. Set HOME, "
            + "or use --print and store the unit yourself."
    }

    /// `$XDG_CONFIG_HOME/systemd/user`, by default `~/.config/systemd/user`. A relative path does not count
    /// (https://specifications.freedesktop.org/basedir-spec/latest/).
    init(environment: [String: String]) throws(NoHome) {
        func absolute(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        guard let configuration = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map({ $0 + "/.config" }) else {
            throw NoHome()
        }
        path = configuration + "/systemd/user"
    }

    /// Writes the unit, replacing an earlier one, and returns a message for the user.
    func install(_ unit: AgentUnit) throws -> String {
        try Folder.create(path, mode: 0o700)
        let file = path + "/" + unit.name
        try DurableFile.replace(file, with: Array(unit.text.utf8))
        return """
            wrote \(file)
            Start it now and at each login:
              systemctl --user daemon-reload
              systemctl --user enable --now \(forShell(unit.name))
            To have it run from boot on, without a login:
              loginctl enable-linger
            Its log:
              journalctl --user -u \(forShell(unit.name))
            """
    }

    /// Deletes the unit, with the link that enabled it, and returns a message for the user. Does not fail if there is
    /// none.
    func remove(_ unit: AgentUnit) throws -> String {
        let file = path + "/" + unit.name
        unlink(path + "/default.target.wants/" + unit.name)
        guard unlink(file) == 0 else {
            guard errno == ENOENT else { throw SystemCallError("unlink", file) }
            return "there is no \(file)"
        }
        try Folder.synchronize(path)
        return """
            deleted \(file)
            If it is running:
              systemctl --user stop \(forShell(unit.name))
              systemctl --user daemon-reload
            """
    }

    /// Unit names hold backslashes when the path holds unusual characters, and never quotes.
    private func forShell(_ name: String) -> String { name.contains("\\") ? "'\(name)'" : name }
}
