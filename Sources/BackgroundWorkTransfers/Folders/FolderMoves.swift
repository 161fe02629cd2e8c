import BackgroundWorkFiles

/// Where paths lead that were stored when a folder above them was elsewhere.
///
/// On iOS an update of the app gives its container another path, with everything in it.
package struct FolderMoves: Sendable, Hashable {
    private struct Move: Sendable, Hashable {
        var former: String
        var current: String
    }

    /// Those with longer paths first, since one folder may have been in another.
    private let moves: [Move]

    package static let none = FolderMoves([:])

    package var isEmpty: Bool { moves.isEmpty }

    /// - Parameter bases: the absolute paths that each folder has had, the current one first.
    package init(_ bases: [String: [String]]) {
        moves = bases.values
            .flatMap { paths in
                paths.dropFirst().filter { $0 != paths[0] }.map { Move(former: $0, current: paths[0]) }
            }
            .sorted { ($0.former.utf8.count, $0.former) > ($1.former.utf8.count, $1.former) }
    }

    /// The path as it is now. A path that is in no former place of a folder, or is in a current one, stays.
    package func current(_ path: String) -> String {
        if moves.isEmpty || moves.contains(where: { Self.rest(of: path, in: $0.current) != nil }) { return path }
        for move in moves {
            if let rest = Self.rest(of: path, in: move.former) { return move.current + rest }
        }
        return path
    }

    package func current(_ path: String?) -> String? { path.map { current($0) } }

    /// What follows the folder, with its slash; `nil` when the path is not in it.
    private static func rest(of path: String, in folder: String) -> Substring? {
        let (path, folder) = (plain(path), plain(folder))
        guard path.hasPrefix(folder) else { return nil }
        let rest = path.dropFirst(folder.count)
        return rest.isEmpty || rest.hasPrefix("/") ? rest : nil
    }

    /// On Apple's systems /var, /tmp and /etc are links into /private, and either spelling is used.
    static func plain(_ path: String) -> Substring {
        for name in ["/var/", "/tmp/", "/etc/"] where path.hasPrefix("/private" + name) { return path.dropFirst(8) }
        return path[...]
    }
}
