import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkSystem
import Dispatch

/// Moves a finished file to its target.
///
/// Directly out of the daemon's folder when that is one rename and a file at the target is to be replaced; otherwise in
/// two steps, so that the second is one rename on one volume.
struct FileMover: Sendable {
    /// For checks and removals: each is short.
    private let queue = DispatchQueue(label: "BackgroundWork.FileMover")
    /// Copies across volumes may take long, and nothing else waits for them.
    private let copies = DispatchQueue(label: "BackgroundWork.FileMover.copies")
    /// The sync of the folder is the slow part of a move; the moves of many files share it.
    private let flush = FolderFlush()

    /// The result of moving a file to its target.
    enum Placement: Sendable, Hashable {
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

    /// The move of a staged file directly to its target; `nil` if the file does not exist. Blocks for one `lstat`.
    static func directMove(
        _ staged: String, to wanted: String, particulars: String?, mountPoint: String?
    ) -> FileMove? {
        guard DurableFile.folder(of: staged) != DurableFile.folder(of: wanted),
            let identity = FileIdentity(path: staged)
        else { return nil }
        return FileMove(
            temporaryPath: staged, targetPath: wanted, identity: identity, particulars: particulars,
            mountPoint: mountPoint)
    }

    /// Moves the staged file durably beside its target under a temporary name, and chooses its final name: the wanted
    /// one, or the next free one if the collision policy says so.
    ///
    /// When the staged file no longer exists but the one beside the target does, an earlier attempt has moved it.
    /// Throws a ``VolumeGoneError`` when the volume that was mounted at `mountPoint` is no longer mounted.
    func move(
        _ staged: String, beside wanted: String, of reference: TransferReference,
        collision: FileMove.Collision = .replace, particulars: String? = nil, mountPoint: String? = nil
    ) async throws -> FileMove {
        let folder = DurableFile.folder(of: wanted)
        let temporary = Self.temporaryPath(for: wanted, of: reference)
        let isThere = try await onQueue {
            // Before the folder is made, which would be made beneath.
            try mountPoint.map(MountPoint.init)?.check(folder)
            try Folder.create(folder)
            guard try FileIdentity.found(at: staged) != nil || FileIdentity.found(at: temporary) == nil else {
                return true
            }
            do {
                try DurableFile.renameOnly(staged, to: temporary)
                return true
            } catch let error as FileError where error.code == EXDEV {
                return false
            }
        }
        // The staged file stays then: only the daemon deletes it, when the outcome is acknowledged.
        if !isThere { try await on(copies) { try DurableFile.copy(staged, to: temporary) } }
        return try await flush.synchronize(folder) {
            guard let identity = try FileIdentity.found(at: temporary) else {
                throw FileError(action: "find", path: temporary, code: ENOENT)
            }
            return FileMove(
                temporaryPath: temporary,
                targetPath: collision == .nextName ? try Self.freeName(wanted) : wanted, identity: identity,
                collision: collision, wantedPath: wanted, particulars: particulars,
                mountPoint: mountPoint)
        }
    }

    /// The same move to the name that is free now.
    func redirected(_ move: FileMove) async throws -> FileMove {
        try await onQueue {
            var move = move
            move.targetPath = try Self.freeName(move.wantedPath)
            return move
        }
    }

    /// Moves the file to its target, or detects that this was done. The name is durable when it returns. Throws a
    /// ``VolumeGoneError`` when the volume is not mounted.
    func place(_ move: FileMove) async throws -> Placement {
        try await flush.synchronize(DurableFile.folder(of: move.targetPath)) {
            move.isDirect ? try Self.renameDirectly(move) : try Self.rename(move)
        } if: {
            switch $0 {
            // A dead process may have moved it without having come to the sync.
            case .moved, .replacedSince, .removedSince: true
            case .nameTaken, .onOtherVolume, .lost: false
            }
        }
    }

    private static func renameDirectly(_ move: FileMove) throws -> Placement {
        try SpecialFile.refuse(at: move.targetPath)
        try move.mountPoint.map(MountPoint.init)?.check(DurableFile.folder(of: move.targetPath))
        do {
            do {
                try DurableFile.renameOnly(move.temporaryPath, to: move.targetPath)
            } catch let error as FileError where error.code == ENOENT {
                guard try FileIdentity.found(at: move.temporaryPath) != nil else {
                    return try isInPlace(move) ? .moved : .lost
                }
                try Folder.create(DurableFile.folder(of: move.targetPath))
                try DurableFile.renameOnly(move.temporaryPath, to: move.targetPath)
            }
            return .moved
        } catch let error as FileError where error.code == EXDEV {
            return .onOtherVolume
        }
    }

    private static func rename(_ move: FileMove) throws -> Placement {
        try move.mountPoint.map(MountPoint.init)?.check(DurableFile.folder(of: move.targetPath))
        guard let temporary = try FileIdentity.found(at: move.temporaryPath) else { return try lookAfter(move) }
        switch move.collision {
        case .replace:
            try SpecialFile.refuse(at: move.targetPath)
            try DurableFile.renameOnly(move.temporaryPath, to: move.targetPath)
        case .nextName, .discard:
            if let there = try FileIdentity.found(at: move.targetPath), there.isSameFile(as: temporary) {
                // A death between the two halves of a move on a volume that cannot do it in one.
                unlink(move.temporaryPath)
                return .moved
            }
            do {
                try DurableFile.renameToFreeName(move.temporaryPath, to: move.targetPath)
            } catch let error as FileError where error.code == EEXIST {
                return .nameTaken
            }
        }
        return .moved
    }

    /// Whether the file is at its target; false when the system cannot tell.
    func isInPlace(_ move: FileMove) async -> Bool { (try? await onQueue { try Self.isInPlace(move) }) ?? false }

    private static func isInPlace(_ move: FileMove) throws -> Bool {
        try FileIdentity.found(at: move.targetPath)?.isStill(move.identity) ?? false
    }

    private static func lookAfter(_ move: FileMove) throws -> Placement {
        guard let there = try FileIdentity.found(at: move.targetPath) else { return .removedSince }
        return there.isStill(move.identity) ? .moved : .replacedSince
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

    private static func freeName(_ wanted: String) throws -> String {
        guard try FileIdentity.found(at: wanted) != nil else { return wanted }
        for number in 1...99_999 {
            let path = TargetName.numbered(wanted, number)
            if try FileIdentity.found(at: path) == nil { return path }
        }
        throw FileError(action: "find a free name beside", path: wanted, code: EEXIST)
    }

    /// `.<name>.bgwork-<key>` beside the target: the same for each delivery of an outcome.
    static func temporaryPath(for target: String, of reference: TransferReference) -> String {
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

/// The names for a file when the requested one is taken.
enum TargetName {
    /// `name_1.ext`, `name_2.ext`, … in the same folder, shortened to the maximum length of a file name.
    static func numbered(_ path: String, _ number: Int) -> String {
        let name = DurableFile.name(of: path)
        let folder = path.dropLast(name.count)
        // A dot at the beginning makes a file hidden; what follows it is its name.
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        var stem = name[..<dot]
        let ending = "_\(number)\(name[dot...])"
        while stem.utf8.count + ending.utf8.count > SuggestedFileName.maximumBytes, stem.count > 1 {
            stem.removeLast()
        }
        return "\(folder)\(stem)\(ending)"
    }
}
