import BackgroundWorkFiles
import BackgroundWorkModel
import Synchronization

/// By the identity of folders and files: a file system may take other names for the same, and a folder may have several
/// places. Everything here blocks.
extension OwnDirectories {
    private struct Key: Hashable {
        var device: UInt64
        var inode: UInt64

        init(_ identity: FileIdentity) { (device, inode) = (identity.device, identity.inode) }
    }

    /// The places of the directories, by what they were when they were registered.
    private static let places = Mutex<[Key: String]>([:])

    /// From now on no input may name what the package keeps in a directory that exists.
    package static func register(_ directory: String) {
        add(directory)
        guard let place = try? ResolvedPath(directory).path else { return }
        add(place)
        if let identity = FileIdentity(path: place) { places.withLock { $0[Key(identity)] = place } }
    }

    /// Why a path without links may not be used, as a sentence about "it"; `nil` if it may.
    static func complaint(aboutPlace path: String) -> String? {
        var folder = ""
        for name in names(of: path) {
            if let complaint = complaint(about: name, inPlace: folder.isEmpty ? "/" : folder) { return complaint }
            folder += "/" + name
        }
        return nil
    }

    /// The same for a name in a folder, whose path has no links.
    static func complaint(about name: String, inPlace folder: String) -> String? {
        guard let identity = FileIdentity(path: folder), let place = places.withLock({ $0[Key(identity)] }),
            // Another folder may have the number of one that was deleted.
            FileIdentity(path: place)?.isSameFile(as: identity) ?? false,
            OwnNames.contains(name) || isOwnFile(name, in: folder)
        else { return nil }
        return complaint(about: name, in: place)
    }

    /// Whether it is one of the package's files or folders by another name.
    private static func isOwnFile(_ name: String, in folder: String) -> Bool {
        guard let found = FileIdentity(path: "\(folder)/\(name)") else { return false }
        return OwnNames.fixed.contains { FileIdentity(path: "\(folder)/\($0)")?.isSameFile(as: found) ?? false }
    }
}
