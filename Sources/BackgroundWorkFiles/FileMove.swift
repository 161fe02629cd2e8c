/// A file on its way to its place, as stored with a `finishing` item.
package struct FileMove: Sendable, Hashable {
    /// What happens to the file when something else stands at the target by the time that it gets there.
    package enum Collision: String, Sendable, Hashable, Codable {
        /// It takes the place of the other.
        case replace
        /// It goes to the next free name.
        case nextName
        /// It is thrown away.
        case discard
    }

    /// Beside the target, or the daemon's own file.
    package var temporaryPath: String
    package var targetPath: String
    /// The temporary's, so that after a crash the file at the target can be told from somebody else's.
    package var identity: FileIdentity
    package var collision: Collision
    /// The path that was asked for, when `targetPath` is another name because that one was taken.
    package var wantedPath: String
    /// What is to be said of the file when it is in place, as JSON: whoever finishes the move may not have the outcome
    /// that began it.
    package var particulars: String?
    /// Where the volume of the target is mounted; `nil` for the root's.
    package var mountPoint: String?

    /// Whether the file comes straight out of the daemon's folder, in one rename, instead of from beside its target.
    package var isDirect: Bool { DurableFile.folder(of: temporaryPath) != DurableFile.folder(of: targetPath) }

    package init(
        temporaryPath: String, targetPath: String, identity: FileIdentity, collision: Collision = .replace,
        wantedPath: String? = nil, particulars: String? = nil, mountPoint: String? = nil
    ) {
        self.temporaryPath = temporaryPath
        self.targetPath = targetPath
        self.identity = identity
        self.collision = collision
        self.wantedPath = wantedPath ?? targetPath
        self.particulars = particulars
        self.mountPoint = mountPoint
    }
}

extension FileMove: Codable {
    private enum CodingKeys: String, CodingKey {
        case temporaryPath, targetPath, identity, collision, wantedPath, particulars, mountPoint
    }

    /// The first three fields are all that earlier versions have stored.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            temporaryPath: try container.decode(String.self, forKey: .temporaryPath),
            targetPath: try container.decode(String.self, forKey: .targetPath),
            identity: try container.decode(FileIdentity.self, forKey: .identity),
            collision: try container.decodeIfPresent(Collision.self, forKey: .collision) ?? .replace,
            wantedPath: try container.decodeIfPresent(String.self, forKey: .wantedPath),
            particulars: try container.decodeIfPresent(String.self, forKey: .particulars),
            mountPoint: try container.decodeIfPresent(String.self, forKey: .mountPoint))
    }
}
