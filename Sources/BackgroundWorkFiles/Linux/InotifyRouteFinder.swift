import BackgroundWorkSystem

/// Resolves a path, and adds watches for each of its components.
///
/// Each folder is watched before a name is looked up in it. So if the name did not exist, or was replaced meanwhile,
/// its event is pending, and the path is resolved again.
struct InotifyRouteFinder {
    let queue: InotifyQueue
    let path: String

    /// The kernel's limit: more links than this count as a loop.
    private static let mostLinks = 40
    private static let slash = UInt8(ascii: "/")
    /// Names are created and removed, and so is the watched folder itself: that is detected even if its parent cannot
    /// be watched.
    private static let names =
        UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
        | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
    private static let content = UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE)

    func route() -> InotifyRoute {
        var route = InotifyRoute()
        var folder: [UInt8] = []
        var rest = Self.parts(of: Array(path.utf8))
        var links = 0
        while let name = rest.popLast() {
            // The folder's path has no links, so its parent can be taken from the text.
            if name == Array("..".utf8) {
                folder = Array(folder[..<(folder.lastIndex(of: Self.slash) ?? 0)])
                continue
            }
            let watched = queue.add(folder.isEmpty ? [Self.slash] : folder, for: Self.names | UInt32(IN_ONLYDIR))
            switch watched {
            case .success(let watch): route.turns.append(.init(watch: watch, name: name, isLast: rest.isEmpty))
            // A folder that may be passed but not read reports nothing; that matters only for the last folder.
            case .failure(let error) where error.code == EACCES && !rest.isEmpty: break
            case .failure(let error):
                route.problem = problem(error)
                return route
            }
            let place = folder + [Self.slash] + name
            switch Self.kind(of: place) {
            case .failure(let error):
                route.problem = problem(error)
                return route
            case .success(S_IFLNK):
                links += 1
                guard links <= Self.mostLinks, let target = Self.target(of: place) else { return route }
                if target.first == Self.slash { folder = [] }
                rest += Self.parts(of: target)
            case .success: folder = place
            }
        }
        switch queue.add(folder.isEmpty ? [Self.slash] : folder, for: Self.names | Self.content) {
        case .success(let watch): route.destination = watch
        case .failure(let error): route.problem = problem(error)
        }
        return route
    }

    /// A missing file is not a problem: the folder in which it will be created is watched.
    private func problem(_ error: SystemErrorNumber) -> FileWatchProblem? {
        switch error.code {
        case ENOENT, ENOTDIR, ELOOP: nil
        case ENOSPC: .noWatchesLeft(path: path)
        default: .refused(FileError(action: "watch", path: path, code: error.code))
        }
    }

    /// The parts of a path, the first one last.
    private static func parts(of path: [UInt8]) -> [[UInt8]] {
        path.split(separator: slash).map(Array.init).filter { $0 != Array(".".utf8) }.reversed()
    }

    private static func kind(of place: [UInt8]) -> Result<mode_t, SystemErrorNumber> {
        var status = stat()
        guard lstat(characters(of: place), &status) == 0 else { return .failure(SystemErrorNumber(code: errno)) }
        return .success(status.st_mode & S_IFMT)
    }

    private static func target(of link: [UInt8]) -> [UInt8]? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(characters(of: link), &buffer, buffer.count)
        return count > 0 ? buffer[..<count].map(UInt8.init(bitPattern:)) : nil
    }

    private static func characters(of path: [UInt8]) -> [CChar] { path.map(CChar.init(bitPattern:)) + [0] }
}

/// The route to a watched path: the folders in which its parts are looked up, and the file at its end.
///
/// Every folder on the route is watched for the relevant name, so that every change of the path's target is reported.
struct InotifyRoute {
    /// A name that is looked up in a folder.
    struct Turn {
        let watch: Int32
        let name: [UInt8]
        /// Whether nothing follows it: an event of this name is a change of the path.
        let isLast: Bool
    }

    var turns: [Turn] = []
    /// The watch on the file or folder itself; nil if there is none.
    var destination: Int32?
    var problem: FileWatchProblem?

    var watches: Set<Int32> { Set(turns.map(\.watch) + [destination].compactMap(\.self)) }
}
