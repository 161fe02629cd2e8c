import BackgroundWorkFiles

/// Where a finished file is to go, and how.
struct MoveRequest: Sendable {
    var wanted: String
    var collision = FileMove.Collision.replace
    var particulars: String?
    var mountPoint: String?
    /// As in ``FileMove``.
    var mode: UInt16?
    /// As in ``FileMove``.
    var allowedDirectories: [String]?

    /// The move that does it.
    func move(temporary: String, target: String, _ identity: FileIdentity) -> FileMove {
        FileMove(
            temporaryPath: temporary, targetPath: target, identity: identity, collision: collision, wantedPath: wanted,
            particulars: particulars, mountPoint: mountPoint, mode: mode, allowedDirectories: allowedDirectories)
    }
}

extension MoveRequest {
    /// The one of an outcome.
    init(_ outcome: TransferOutcome, particulars: String) {
        self.init(
            wanted: outcome.wantedPath, collision: outcome.collision, particulars: particulars,
            mountPoint: outcome.details?.mountPoint, mode: outcome.details?.fileMode?.bits,
            allowedDirectories: outcome.details?.allowedDirectories)
    }

    /// The one of a move that has to be done in two steps.
    init(_ move: FileMove) {
        self.init(
            wanted: move.targetPath, collision: move.collision, particulars: move.particulars,
            mountPoint: move.mountPoint, mode: move.mode, allowedDirectories: move.allowedDirectories)
    }
}
