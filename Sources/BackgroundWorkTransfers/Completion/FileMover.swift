import BackgroundWorkFiles
import BackgroundWorkModel
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Moves a finished file to its place in two steps, so that the second is one rename on one volume.
struct FileMover: Sendable {
    /// Copies across volumes may take long, so each mover has a queue of its own.
    private let queue = DispatchQueue(label: "BackgroundWork.FileMover")

    /// How a file came to stand at its place, or what stands there instead.
    enum Placement: Sendable, Hashable {
        case moved
        /// It had been moved before, and something else has taken its place since.
        case replacedSince
    }

    /// Brings the staged file beside its target under a name of its own, durably.
    ///
    /// When the staged file is gone but the one beside the target is there, an earlier try did it.
    func bring(_ staged: String, beside target: String, key: TransferKey) async throws -> FileMove {
        try await onQueue {
            let folder = DurableFile.folder(of: target)
            try Folder.create(folder)
            let temporary = Self.temporaryPath(for: target, key: key)
            if FileIdentity(path: staged) != nil || FileIdentity(path: temporary) == nil {
                do {
                    try DurableFile.rename(staged, to: temporary)
                } catch let error as FileError where error.code == EXDEV {
                    // The staged file stays: only the daemon deletes it, when the outcome is acknowledged.
                    try DurableFile.copy(staged, to: temporary)
                    try Folder.synchronize(folder)
                }
            }
            guard let identity = FileIdentity(path: temporary) else {
                throw FileError(action: "find", path: temporary, code: ENOENT)
            }
            return FileMove(temporaryPath: temporary, targetPath: target, identity: identity)
        }
    }

    /// Renames the file to its target, or finds that this was done.
    func place(_ move: FileMove) async throws -> Placement {
        try await onQueue {
            if FileIdentity(path: move.temporaryPath) != nil {
                try DurableFile.rename(move.temporaryPath, to: move.targetPath)
                return .moved
            }
            try Folder.synchronize(DurableFile.folder(of: move.targetPath))
            return FileIdentity(path: move.targetPath) == move.identity ? .moved : .replacedSince
        }
    }

    /// Removes a file that nobody waits for any more.
    func discard(_ move: FileMove) async {
        await withCheckedContinuation { continuation in
            queue.async {
                unlink(move.temporaryPath)
                continuation.resume()
            }
        }
    }

    /// `.<name>.bgwork-<key>`, with `/` in the key replaced, and shortened to what a file name may have.
    static func temporaryPath(for target: String, key: TransferKey) -> String {
        let suffix = key.description.utf8.map { byte -> UInt8 in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                || byte == 0x2e || byte == 0x23 || byte == 0x2d || byte == 0x5f
            return isPlain ? byte : 0x5f
        }
        // NAME_MAX is 255 bytes; the end of the key holds what tells generations and members apart.
        let tail = String(decoding: suffix.suffix(80), as: UTF8.self)
        let digest = key.description.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
        }
        let name = String(decoding: DurableFile.name(of: target).utf8.prefix(120), as: UTF8.self)
        return "\(DurableFile.folder(of: target))/.\(name).bgwork-\(tail)-\(String(digest, radix: 36))"
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}

extension FileMover.Placement {
    func message(for target: String) -> String {
        switch self {
        case .moved: "saved to \(target)"
        case .replacedSince:
            "saved to \(target), where another file has been put since; that one was not touched"
        }
    }
}
