import BackgroundWorkFoundation

/// Finds where an app's container was when nothing recorded that: iOS names containers by UUIDs, in one folder.
enum FormerContainers {
    /// The containers beside this one that paths are in, without it; none if it is not named by a UUID.
    static func found(beside container: String, in paths: [String]) -> [String] {
        guard let slash = container.lastIndex(of: "/") else { return [] }
        let (parent, name) = (container[...slash], container[slash...].dropFirst())
        guard UUID(uuidString: String(name)) != nil else { return [] }
        let names = paths.compactMap { path -> String? in
            let (path, parent) = (FolderMoves.plain(path), FolderMoves.plain(String(parent)))
            guard path.hasPrefix(parent) else { return nil }
            let other = path.dropFirst(parent.count).prefix { $0 != "/" }
            return other != name && UUID(uuidString: String(other)) != nil ? String(other) : nil
        }
        return Set(names).sorted().map { parent + $0 }
    }
}
