import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkSystem
import Dispatch

/// Moves a finished file to its target.
///
/// Directly out of the daemon's folder when that is one rename and a file at the target is to be replaced; otherwise in
/// two steps, so that the second is one rename on one volume.
package struct FileMover: Sendable {
    /// For checks and removals: each is short.
    private let queue = DispatchQueue(label: "BackgroundWork.FileMover")
    /// Copies across volumes may take long, and nothing else waits for them.
    private let copies = DispatchQueue(label: "BackgroundWork.FileMover.copies")
    /// The sync of the folder is the slow part of a move; the moves of many files share it.
    private let flush = FolderFlush()

    /// The result of moving a file to its target.
    package enum Placement: Sendable, Hashable {
        case moved
        /// It had been moved before, and was replaced by another file since.
        case replacedSince
        /// It had been moved before, and was removed since.
        case removedSince
        /// Another file has the name and must not be replaced. The file is still beside it.
        case nameTaken
        /// The daemon's file is on another volume than its target.
        case onOtherVolume
        /// The daemon's file no longer exists, and is not the file at the target.
        case lost
    }

    /// A folder of this package, in which the umask is found.
    private let ownFolder: String

    package init(ownFolder: String) { self.ownFolder = ownFolder }

    /// The move of a staged file directly to its target; `nil` if the file does not exist. Blocks for one `lstat`.
    static func directMove(_ staged: String, for request: MoveRequest) -> FileMove? {
        guard DurableFile.folder(of: staged) != DurableFile.folder(of: request.wanted),
            let identity = FileIdentity(path: staged)
        else { return nil }
        return request.move(temporary: staged, target: request.wanted, identity)
    }

    /// Moves the staged file durably beside its target under a temporary name, and chooses its final name: the wanted
    /// one, or the next free one if the collision policy says so. It has its permissions when it gets there.
    ///
    /// When the staged file no longer exists but the one beside the target does, an earlier attempt has moved it.
    /// Throws a ``VolumeGoneError`` when the volume that was mounted is no longer mounted, and ``RefusedPathError`` when
    /// the path leads to where the security policy does not allow files.
    func move(
        _ staged: String, beside request: MoveRequest, of reference: TransferReference
    ) async throws -> FileMove {
        let path = DurableFile.folder(of: request.wanted)
        let temporary = DurableFile.name(of: Self.temporaryPath(for: request.wanted, of: reference))
        let ownFolder = ownFolder
        let (folder, mode, isThere) = try await onQueue {
            // Before the folder is made, which would be made beneath.
            try request.mountPoint.map(MountPoint.init)?.check(path)
            let folder = try FileRules(allowedDirectories: request.allowedDirectories).openFolder(path, creating: true)
            try folder.check(name: DurableFile.name(of: request.wanted))
            let mode = try CreationMode(request.mode, probing: ownFolder)
            guard try FileIdentity.found(at: staged) != nil || folder.identity(of: temporary) == nil else {
                return (folder, mode, true)
            }
            do {
                try folder.take(staged, as: temporary, mode: mode)
                return (folder, mode, true)
            } catch let error as FileError where error.code == EXDEV {
                return (folder, mode, false)
            }
        }
        // The staged file stays then: only the daemon deletes it, when the outcome is acknowledged.
        if !isThere { try await on(copies) { try folder.copy(staged, as: temporary, mode: mode) } }
        return try await flush.synchronize(path) {
            guard let identity = try folder.identity(of: temporary) else {
                throw FileError.missing(path + "/" + temporary)
            }
            let target = request.collision == .nextName ? try Self.freeName(request.wanted, in: folder) : request.wanted
            return request.move(temporary: path + "/" + temporary, target: target, identity)
        }
    }

    /// The same move to the name that is free now.
    package func redirected(_ move: FileMove) async throws -> FileMove {
        try await onQueue {
            var move = move
            move.targetPath = try Self.freeName(move.wantedPath, in: Self.folder(of: move, creating: false))
            return move
        }
    }

    /// Moves the file to its target, or detects that this was done. The name is durable when it returns. Throws a
    /// ``VolumeGoneError`` when the volume is not mounted, and ``RefusedPathError`` as ``move(_:beside:of:)`` does.
    package func place(_ move: FileMove) async throws -> Placement {
        let ownFolder = ownFolder
        return try await flush.synchronize(DurableFile.folder(of: move.targetPath)) {
            try move.mountPoint.map(MountPoint.init)?.check(DurableFile.folder(of: move.targetPath))
            return move.isDirect
                ? try Self.renameDirectly(move, CreationMode(move.mode, probing: ownFolder)) : try Self.rename(move)
        } if: {
            switch $0 {
            // A dead process may have moved it without having come to the sync.
            case .moved, .replacedSince, .removedSince: true
            case .nameTaken, .onOtherVolume, .lost: false
            }
        }
    }

    private static func renameDirectly(_ move: FileMove, _ mode: CreationMode) throws -> Placement {
        guard try FileIdentity.found(at: move.temporaryPath) != nil else {
            return try isInPlace(move) ? .moved : .lost
        }
        let folder = try folder(of: move, creating: true)
        let name = DurableFile.name(of: move.targetPath)
        try folder.refuseSpecialFile(at: name)
        do {
            try folder.take(move.temporaryPath, as: name, mode: mode)
            return .moved
        } catch let error as FileError where error.code == EXDEV {
            return .onOtherVolume
        }
    }

    private static func rename(_ move: FileMove) throws -> Placement {
        let folder: TargetFolder
        do {
            folder = try self.folder(of: move, creating: false)
        } catch let error as FileError where error.code == ENOENT || error.code == ENOTDIR {
            return .removedSince
        }
        let (name, temporary) = (DurableFile.name(of: move.targetPath), DurableFile.name(of: move.temporaryPath))
        guard let arrived = try folder.identity(of: temporary) else {
            guard let there = try folder.identity(of: name) else { return .removedSince }
            return there.isStill(move.identity) ? .moved : .replacedSince
        }
        try folder.requireFile(at: temporary)
        switch move.collision {
        case .replace:
            try folder.refuseSpecialFile(at: name)
            try folder.rename(temporary, to: name)
        case .nextName, .discard:
            if let there = try folder.identity(of: name), there.isSameFile(as: arrived) {
                // A death between the two halves of a move on a volume that cannot do it in one.
                folder.remove(temporary)
                return .moved
            }
            do {
                try folder.renameToFreeName(temporary, to: name)
            } catch let error as FileError where error.code == EEXIST {
                return .nameTaken
            }
        }
        return .moved
    }

    private static func folder(of move: FileMove, creating: Bool) throws -> TargetFolder {
        try FileRules(allowedDirectories: move.allowedDirectories)
            .openFolder(DurableFile.folder(of: move.targetPath), creating: creating)
    }

    /// Whether the file is at its target; false when the system cannot tell.
    func isInPlace(_ move: FileMove) async -> Bool { (try? await onQueue { try Self.isInPlace(move) }) ?? false }

    private static func isInPlace(_ move: FileMove) throws -> Bool {
        try FileIdentity.found(at: move.targetPath)?.isStill(move.identity) ?? false
    }

    /// Whether there is a file at a path; false when the system cannot tell.
    func isTaken(_ path: String) async -> Bool {
        (try? await onQueue { try FileIdentity.found(at: path) != nil }) ?? false
    }

    /// Removes a file that is no longer needed.
    func discard(_ temporaryPath: String) async {
        await withCheckedContinuation { continuation in
            queue.async {
                unlink(temporaryPath)
                continuation.resume()
            }
        }
    }

    private static func freeName(_ wanted: String, in folder: TargetFolder) throws -> String {
        guard try folder.identity(of: DurableFile.name(of: wanted)) != nil else { return wanted }
        for number in 1...99_999 {
            let path = TargetName.numbered(wanted, number)
            if try folder.identity(of: DurableFile.name(of: path)) == nil { return path }
        }
        throw FileError(action: "find a free name beside", path: wanted, code: EEXIST)
    }

    /// `.<name>.bgwork-<key>` beside the target: the same for each delivery of an outcome.
    package static func temporaryPath(for target: String, of reference: TransferReference) -> String {
        let suffix = reference.key.description.utf8.map { byte -> UInt8 in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                || byte == 0x2e || byte == 0x23 || byte == 0x2d || byte == 0x5f
            return isPlain ? byte : 0x5f
        }
        // NAME_MAX is 255 bytes; the end of the key holds what tells generations and members apart. The store is part of
        // the digest: another one may save to the same folder under the same key.
        let tail = String(decoding: suffix.suffix(80), as: UTF8.self)
        let name = String(decoding: DurableFile.name(of: target).utf8.prefix(120), as: UTF8.self)
        return "\(DurableFile.folder(of: target))/.\(name).bgwork-\(tail)-\(reference.digest)"
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await on(queue, body)
    }

    private func on<Value: Sendable>(
        _ queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
