import BackgroundWorkFoundation
import BackgroundWorkSystem

/// A system call on a file failed. The description names the file, the reason, and what to do where that is known.
public struct FileError: Error, Hashable, CustomStringConvertible {
    /// What was tried, as a verb.
    public let action: String
    /// The file or folder.
    public let path: String
    /// The system's error number (errno).
    public let code: Int32
    /// In place of the system's words for the number.
    private let reason: String?

    /// Creates the error.
    package init(action: String, path: String, code: Int32, reason: String? = nil) {
        self.action = action
        self.path = path
        self.code = code
        self.reason = reason
    }

    /// The error of something that is a folder, a pipe, a socket or a device, where a file has to be.
    package static func notRegular(action: String, path: String) -> FileError {
        FileError(action: action, path: path, code: EINVAL, reason: "it is not a regular file")
    }

    /// The error of a file that has to be there.
    package static func missing(_ path: String) -> FileError {
        FileError(action: "find", path: path, code: ENOENT)
    }

    /// Whether there is no space left, by volume, quota or file size limit.
    public var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

    /// Whether a file cannot be moved because its target is on another volume.
    package var isOtherVolume: Bool { code == EXDEV }

    /// Whether the same call may well succeed a moment later: the process or the machine was short of something, or the
    /// disk had an error.
    package var isTransient: Bool {
        [EINTR, EAGAIN, EMFILE, ENFILE, ENOMEM, ENOBUFS, EBUSY, EIO, ETIMEDOUT].contains(code)
    }

    /// What happened, to which file, and what to do.
    public var description: String { "Cannot \(action) \(path): \(reason ?? String(cString: strerror(code)))\(advice)" }

    private var advice: String {
        switch code {
        case ENOSPC: ". Free some space on that volume."
        case EDQUOT: ". The quota of this user is used up."
        case EACCES, EPERM: ". Check the permissions of the file and of the folders above it."
        case EROFS: ". The volume is mounted read-only."
        case ENOTDIR: ". A part of the path is a file, not a folder."
        case EISDIR: ". There is a folder at this path."
        case ENODEV, ENXIO: ". The volume is no longer available."
        case EMFILE: ". This process has too many files open: raise the limit (ulimit -n)."
        case ENFILE: ". Too many files are open on this machine."
        case EIO: ". The disk reports an error, or its volume was removed."
        case ESTALE: ". It no longer exists on the network volume."
        case EOPNOTSUPP:
            ". The volume has no move that never replaces a file; use the policy OVERWRITE, or another volume."
        case ENAMETOOLONG: ". A part of the path is longer than the volume allows."
        default: ""
        }
    }
}

extension FileError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

/// System calls that a signal may interrupt.
package enum SystemCall {
    /// Repeats the call while it is interrupted (EINTR), and returns its result.
    package static func repeated<Answer: SignedInteger>(_ call: () -> Answer) -> Answer {
        while true {
            let answer = call()
            if answer != -1 || errno != EINTR { return answer }
        }
    }
}
