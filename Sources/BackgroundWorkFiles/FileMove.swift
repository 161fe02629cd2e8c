/// A file on its way to its place, as stored with a `finishing` item.
package struct FileMove: Sendable, Hashable, Codable {
    /// Beside the target.
    package var temporaryPath: String
    package var targetPath: String
    /// The temporary's, so that after a crash the file at the target can be told from somebody else's.
    package var identity: FileIdentity

    package init(temporaryPath: String, targetPath: String, identity: FileIdentity) {
        self.temporaryPath = temporaryPath
        self.targetPath = targetPath
        self.identity = identity
    }
}
