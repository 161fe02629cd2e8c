import BackgroundWorkArchive
import BackgroundWorkFiles
import BackgroundWorkSystem
import BackgroundWorkTransfers

/// Moves what is in one folder into another one on the same volume, by renames, each file in one step. Links in neither
/// are followed.
///
/// What has been moved is gone from the first folder, so a merge that was interrupted is continued by another one.
final class TreeMerge {
    private let source, target: FolderCursor
    private let policy: DuplicatePolicy?
    /// How many files, links and folders were left where they are.
    private(set) var skipped = 0

    /// - Parameters:
    ///   - source, target: open folders, which stay the caller's.
    ///   - policy: for names that are taken; `nil` refuses them.
    init(from source: Int32, to target: Int32, path: String, _ policy: DuplicatePolicy?) throws {
        self.source = try FolderCursor(root: source, path: path)
        self.target = try FolderCursor(root: target, path: path)
        self.policy = policy
    }

    /// Throws what ``run()`` would throw for what is there now, before anything is moved.
    func check() throws {
        try walk { name, type in
            guard let there = try self.type(of: name) else { return .leaveOut }
            if type == S_IFDIR, there == S_IFDIR { return .goOn }
            if let refusal = refusal(of: name, type, there: there) { throw refusal }
            return .leaveOut
        }
    }

    /// Moves everything.
    func run() throws { try walk(move) }

    private func walk(_ visit: ([UInt8], mode_t) throws -> TreeWalk.Answer) throws {
        try TreeWalk(source).run(
            visit: visit,
            entered: {
                guard let name = source.name else { return }
                try target.enter(name)
            },
            left: { _ in try target.leave() })
    }

    private func move(_ name: [UInt8], _ type: mode_t) throws -> TreeWalk.Answer {
        if policy != .overwrite || type == S_IFDIR, try moveToFreeName(name, as: name) { return .leaveOut }
        let there = try self.type(of: name)
        if type == S_IFDIR, there == S_IFDIR { return .goOn }
        if let there, let refusal = refusal(of: name, type, there: there) { throw refusal }
        switch policy {
        case .skip: skipped += 1
        case .rename:
            for number in 1...99_999 {
                let other = TargetName.numbered("/" + String(decoding: name, as: UTF8.self), number).dropFirst()
                if try moveToFreeName(name, as: Array(other.utf8)) { return .leaveOut }
            }
            throw FileError(action: "find a free name beside", path: target.path(of: name), code: EEXIST)
        case .overwrite, nil:
            let answer = SystemCall.repeated {
                Name.withCString(name) { renameat(source.descriptor, $0, target.descriptor, $0) }
            }
            guard answer == 0 else { throw FileError(action: "move", path: target.path(of: name), code: errno) }
        }
        return .leaveOut
    }

    /// Why a name that is taken is not accepted; `nil` if it is.
    private func refusal(of name: [UInt8], _ type: mode_t, there: mode_t) -> (any Error)? {
        let path = target.path(of: name)
        switch policy {
        case .skip: return nil
        case .rename where type != S_IFDIR: return nil
        case .overwrite where type != S_IFDIR && (there == S_IFREG || there == S_IFLNK): return nil
        case nil where type != S_IFDIR && there != S_IFDIR:
            return ArchiveError.refused("\(path) already exists; set onDuplicate to OVERWRITE, RENAME or SKIP")
        default:
            return ArchiveError.refused(
                type == S_IFDIR
                    ? "\(path) is not a folder, but the archive has a folder of that name"
                    : "\(path) is not a file, but the archive has a file of that name")
        }
    }

    /// The type of what has a name in the target; `nil` if there is nothing.
    private func type(of name: [UInt8]) throws -> mode_t? {
        var status = stat()
        let answer = SystemCall.repeated {
            Name.withCString(name) { fstatat(target.descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
        }
        if answer == 0 { return status.st_mode & S_IFMT }
        if errno == ENOENT { return nil }
        throw FileError(action: "inspect", path: target.path(of: name), code: errno)
    }

    /// Whether it was moved; false if the name is taken.
    private func moveToFreeName(_ name: [UInt8], as other: [UInt8]) throws -> Bool {
        let code = FreeName.move(name, in: source.descriptor, to: other, in: target.descriptor)
        if code == 0 { return true }
        if code == EEXIST { return false }
        throw FileError(action: "move", path: target.path(of: other), code: code)
    }
}

/// Moves to names that must be free, on volumes that cannot do it in one step as well.
enum FreeName {
    /// Returns 0 or the error number; EEXIST when the name is taken.
    static func move(_ name: [UInt8], in folder: Int32, to other: [UInt8], in target: Int32) -> Int32 {
        Name.withCString(name) { name in
            Name.withCString(other) { other in
                let code = ExclusiveRename.code(of: name, in: folder, to: other, in: target)
                guard [EINVAL, ENOSYS, ENOTSUP].contains(code) else { return code }
                var status = stat()
                if fstatat(target, other, &status, AT_SYMLINK_NOFOLLOW) == 0 { return EEXIST }
                return SystemCall.repeated { renameat(folder, name, target, other) } == 0 ? 0 : errno
            }
        }
    }
}
