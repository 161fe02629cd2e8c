import BackgroundWorkSystem

/// A failed system call: its name, its object and the system's description of the error.
struct SystemCallError: Error, CustomStringConvertible {
    var call: String
    var path: String
    var code: Int32

    init(_ call: String, _ path: String, code: Int32 = errno) {
        self.call = call
        self.path = path
        self.code = code
    }

    var reason: String { String(cString: strerror(code)) }

    var description: String { "\(call) \(path): \(reason) (errno \(code))\(advice)" }

    private var advice: String {
        switch code {
        case ENOSPC: ". The disk is full: free some space and try again."
        case EDQUOT: ". The disk quota is used up: free some space and try again."
        case EFBIG: ". The file would be larger than the file system or the limit of the process allows."
        case EIO: ". The disk reported an error: check it."
        case EROFS: ". The file system is mounted read-only."
        case EACCES, EPERM: ". Check the owner and the permissions."
        case ELOOP: ". It is a symbolic link, and links are not followed here. Move it away."
        case EMFILE, ENFILE: ". Too many open files: raise the limit (ulimit -n)."
        default: ""
        }
    }
}
