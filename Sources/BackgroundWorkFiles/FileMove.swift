/// A file that is being moved to its target, as stored with a `finishing` item.
package struct FileMove: Sendable, Hashable {
    /// What happens to the file when another file exists at the target by the time of the move.
    package enum Collision: String, Sendable, Hashable, Codable {
        /// It replaces the other file.
        case replace
        /// It is saved under the next free name.
        case nextName
        /// It is deleted.
        case discard
    }

    /// Beside the target, or the daemon's own file.
    package var temporaryPath: String
    package var targetPath: String
    /// The temporary's, so that after a crash the file at the target can be distinguished from another program's file.
    package var identity: FileIdentity
    package var collision: Collision
    /// The requested path, when `targetPath` is another name because the requested one exists.
    package var wantedPath: String
    /// What to report about the file when it is in place, as JSON: the process that completes the move may not have the
    /// outcome that started it.
    package var particulars: String?
    /// Where the volume of the target is mounted; `nil` for the root's.
    package var mountPoint: String?
    /// The permissions asked for; `nil` for those of a new file.
    package var mode: UInt16?
    /// The folders that the security policy of the work allows; `nil` for all but the system's.
    package var allowedDirectories: [String]?

    /// Whether the file is renamed directly out of the daemon's folder, instead of from beside its target.
    package var isDirect: Bool { DurableFile.folder(of: temporaryPath) != DurableFile.folder(of: targetPath) }

    package init(
        temporaryPath: String, targetPath: String, identity: FileIdentity, collision: Collision = .replace,
        wantedPath: String? = nil, particulars: String? = nil, mountPoint: String? = nil, mode: UInt16? = nil,
        allowedDirectories: [String]? = nil
    ) {
        self.temporaryPath = temporaryPath
        self.targetPath = targetPath
        self.identity = identity
        self.collision = collision
        self.wantedPath = wantedPath ?? targetPath
        self.particulars = particulars
        self.mountPoint = mountPoint
        self.mode = mode
        self.allowedDirectories = allowedDirectories
    }
}

extension FileMove: Codable {
    private enum CodingKeys: String, CodingKey {
        case temporaryPath, targetPath, identity, collision, wantedPath, particulars, mountPoint
        case mode, allowedDirectories
    }

    /// Earlier versions have stored only the first three fields.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            temporaryPath: try container.decode(String.self, forKey: .temporaryPath),
            targetPath: try container.decode(String.self, forKey: .targetPath),
            identity: try container.decode(FileIdentity.self, forKey: .identity),
            collision: try container.decodeIfPresent(Collision.self, forKey: .collision) ?? .replace,
            wantedPath: try container.decodeIfPresent(String.self, forKey: .wantedPath),
            particulars: try container.decodeIfPresent(String.self, forKey: .particulars),
            mountPoint: try container.decodeIfPresent(String.self, forKey: .mountPoint),
            mode: try container.decodeIfPresent(UInt16.self, forKey: .mode),
            allowedDirectories: try container.decodeIfPresent([String].self, forKey: .allowedDirectories))
    }
}
