import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Dispatch

/// The file beside its target that a download is received in. Its blocking calls are made on a queue of its own.
///
/// Only its user can read it. One run at a time has it, by a lock that ends with the process.
actor PartialFile {
    private static let syncs = DispatchQueue(label: "BackgroundWork.PartialFile.syncs", attributes: .concurrent)
    /// So many bytes are read at once for a checksum: a cancelled run waits for them.
    private static let digestStep: Int64 = 8 << 20
    private static let mostTries = 8

    nonisolated let path: String
    private nonisolated let target: String
    private nonisolated let rules: FileRules
    private nonisolated let executor = DispatchQueueExecutor(label: "BackgroundWork.PartialFile")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private var folder: TargetFolder?
    private var file: LockedDescriptor?
    private var digest: StreamingDigest?
    /// The bytes from the file's start that are in the digest.
    private var digested: Int64 = 0

    /// Opens nothing yet.
    init(path: String, target: String, rules: FileRules) {
        (self.path, self.target, self.rules) = (path, target, rules)
    }

    private var name: String { DurableFile.name(of: path) }

    // MARK: Names

    /// Opens the target's folder, which is created if it is missing, and returns what exists at the target.
    ///
    /// Throws ``RefusedPathError``, and ``FileError`` also for what a file must not replace.
    func existingTarget() throws -> FileIdentity? {
        let folder = try opened()
        let name = DurableFile.name(of: target)
        guard try !folder.hasFolder(name) else { throw FileError(action: "save to", path: target, code: EISDIR) }
        try folder.refuseSpecialFile(at: name)
        return try folder.identity(of: name)
    }

    /// What has the partial file's name; `nil` if nothing has.
    func found() throws -> FileIdentity? { try opened().identity(of: name) }

    private func opened() throws -> TargetFolder {
        if let folder { return folder }
        let opened = try rules.openFolder(DurableFile.folder(of: path), creating: true)
        folder = opened
        return opened
    }

    /// Opens the file, or creates it; `nil` while another run has it. What has its name and is not a file of this user
    /// alone is removed first.
    func acquire() throws -> FileIdentity? {
        let folder = try opened()
        for _ in 0..<Self.mostTries {
            guard let candidate = try candidate(in: folder) else { continue }
            guard try candidate.lock(path) else { return nil }
            // Its last owner may have removed it meanwhile.
            guard let identity = FileIdentity(descriptor: candidate.number),
                let named = try folder.identity(of: name), named.isSameFile(as: identity)
            else { continue }
            file = candidate
            return identity
        }
        throw FileError(action: "create", path: path, code: EEXIST)
    }

    /// `nil` when it has to be tried again.
    private func candidate(in folder: TargetFolder) throws -> LockedDescriptor? {
        do {
            let number = try folder.open(name, O_RDWR | O_NONBLOCK)
            let candidate = LockedDescriptor(number)
            if candidate.isOwnFile { return candidate }
        } catch let error as FileError where error.code == ENOENT {
            do { return LockedDescriptor(try folder.open(name, O_RDWR | O_CREAT | O_EXCL)) } catch let error
                as FileError
                where error.code == EEXIST
            { return nil }
        } catch let error as FileError where [ELOOP, EACCES, EPERM, ENXIO, EISDIR].contains(error.code) {
            // A link, a socket, or a file with final permissions that do not let it be written.
        }
        folder.remove(name)
        return nil
    }

    /// Removes it, unless another run has it. Returns whether it is gone.
    func discard() -> Bool {
        do {
            if file == nil, try found() == nil { return true }
            guard try file != nil || acquire() != nil else { return false }
            folder?.remove(name)
            leave()
            return try found() == nil
        } catch {
            return false
        }
    }

    /// Closes it. Another run may follow.
    func leave() { (file, digest) = (nil, nil) }

    // MARK: Content

    private func descriptor() throws -> Int32 {
        guard let file else { throw FileError(action: "use", path: path, code: EINVAL) }
        return file.number
    }

    var length: Int64 { file.flatMap { FileIdentity(descriptor: $0.number)?.bytes } ?? 0 }

    func identity() throws -> FileIdentity {
        guard let identity = FileIdentity(descriptor: try descriptor()) else {
            throw FileError(action: "inspect", path: path, code: errno)
        }
        return identity
    }

    /// Cuts the file, or lengthens it by a hole.
    func setLength(_ bytes: Int64) throws {
        let descriptor = try descriptor()
        guard SystemCall.repeated({ ftruncate(descriptor, off_t(bytes)) }) == 0 else {
            throw FileError(action: "set the length of", path: path, code: errno)
        }
    }

    /// Begins a checksum at the file's start.
    func beginDigest(_ algorithm: ChecksumAlgorithm?) throws {
        digest = try algorithm.map { try StreamingDigest($0.digest) }
        digested = 0
    }

    func write(_ bytes: Data, at offset: Int64) throws {
        let descriptor = try descriptor()
        try bytes.withUnsafeBytes { bytes in
            try DurableFile.write(bytes, to: descriptor, at: offset, path: path)
            guard let digest, offset == digested else { return }
            digest.update(bytes)
            digested += Int64(bytes.count)
        }
    }

    /// Adds bytes that are in the file already to the checksum, some of them at a time. Returns whether all up to `end`
    /// are in it.
    func digestMore(upTo end: Int64) throws -> Bool {
        guard let digest, digested < end else { return true }
        let next = min(end, digested + Self.digestStep)
        let count = try digest.update(reading: try descriptor(), from: digested, to: next, path: path)
        guard count > 0 else { throw FileError(action: "read", path: path, code: EIO) }
        digested += count
        return digested == end
    }

    /// The checksum of the whole file, once; `nil` if none was begun.
    func finishDigest() throws -> String? {
        defer { digest = nil }
        return try digest?.finish()
    }

    /// Gives it the permissions of the finished file.
    ///
    /// - Parameters:
    ///   - bits: those asked for; `nil` for those of a new file.
    ///   - folder: one of this package, in which the umask is found.
    func setMode(_ bits: UInt16?, probing folder: String) throws {
        try CreationMode(bits, probing: folder).set(on: try descriptor(), path: path)
    }

    /// The move of the complete file to its target.
    func move(_ collision: FileMove.Collision, particulars: String, mode: UInt16?) throws -> FileMove {
        FileMove(
            temporaryPath: path, targetPath: target, identity: try identity(), collision: collision,
            particulars: particulars, mountPoint: MountPoint(holding: DurableFile.folder(of: target))?.path, mode: mode,
            allowedDirectories: rules.allowedDirectories)
    }

    /// What was written before survives a power cut when it returns. A cancelled task does not wait for the disk.
    func synchronize() async throws {
        guard let file else { return }
        let path = path
        let answer = FirstAnswer<Result<Void, any Error>>()
        Self.syncs.async {
            answer.give(Result { try DurableFile.synchronize(file.number, path: path) })
        }
        try await withTaskCancellationHandler {
            try await answer.wait().get()
        } onCancel: {
            answer.give(.failure(CancellationError()))
        }
    }
}

/// An open file that may be locked; closed with the last reference.
private final class LockedDescriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit {
        // A child process between fork and exec has the descriptor too, and would keep the lock.
        flock(number, LOCK_UN)
        close(number)
    }

    /// Whether it is a regular file of this user with one name: nobody else has put it there.
    var isOwnFile: Bool {
        var status = stat()
        guard fstat(number, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid() && status.st_nlink == 1
    }

    /// False while another holder has it. A volume without locks has no other holder.
    func lock(_ path: String) throws -> Bool {
        if SystemCall.repeated({ flock(number, LOCK_EX | LOCK_NB) }) == 0 { return true }
        if errno == EWOULDBLOCK { return false }
        if [ENOLCK, ENOTSUP, EOPNOTSUPP, ENOSYS, EINVAL].contains(errno) { return true }
        throw FileError(action: "lock", path: path, code: errno)
    }
}
