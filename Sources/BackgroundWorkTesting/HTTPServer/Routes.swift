import Synchronization

/// The resources and endpoints of a local server, by path.
final class Routes: Sendable {
    private struct Contents: ~Copyable {
        var resources: [String: Resource] = [:]
        var uploads: [String: UploadShelf] = [:]
        var tus: [String: TusEndpoint] = [:]
        var tokens: [String: TokenDesk] = [:]
        var guards: [String: CredentialCheck] = [:]
    }

    private let contents = Mutex(Contents())

    func serve(_ resource: Resource, at path: String) { contents.withLock { $0.resources[path] = resource } }

    func resource(at path: String) -> Resource? { contents.withLock { $0.resources[path] } }

    func serve(_ shelf: UploadShelf, at path: String) { contents.withLock { $0.uploads[path] = shelf } }

    func uploads(at path: String) -> UploadShelf? { contents.withLock { $0.uploads[path] } }

    func serve(_ desk: TokenDesk, at path: String) { contents.withLock { $0.tokens[path] = desk } }

    func tokens(at path: String) -> TokenDesk? { contents.withLock { $0.tokens[path] } }

    func serve(_ endpoint: TusEndpoint, at path: String) { contents.withLock { $0.tus[path] = endpoint } }

    /// The endpoint and the requested upload; no upload for the endpoint itself.
    func tus(at path: String) -> (endpoint: TusEndpoint, upload: String?)? {
        contents.withLock { contents in
            if let endpoint = contents.tus[path] { return (endpoint, nil) }
            guard let parent = Self.parent(of: path), let endpoint = contents.tus[parent] else { return nil }
            return (endpoint, String(path.dropFirst(parent.count + 1)))
        }
    }

    /// The paths whose behaviours apply to a request, in this order: the uploads of tus use those of their endpoint
    /// when they have none of their own.
    func scriptPaths(of path: String) -> [String] {
        guard let parent = Self.parent(of: path) else { return [path] }
        return contents.withLock { $0.tus[parent] } == nil ? [path] : [path, parent]
    }

    private static func parent(of path: String) -> String? {
        path.lastIndex(of: "/").map { String(path[..<$0]) }
    }

    func protect(_ path: String, _ check: CredentialCheck?) { contents.withLock { $0.guards[path] = check } }

    /// The challenge for a request without acceptable credentials; `nil` when it may continue.
    func challenge(for head: RequestHead) -> HeaderField? {
        let paths = scriptPaths(of: head.path)
        let check = contents.withLock { contents in paths.compactMap { contents.guards[$0] }.first }
        return check?.challenge(for: head)
    }

    /// Makes this the only accepted bearer token, wherever one is required.
    func acceptOnly(_ token: String) {
        contents.withLock { contents in
            for (path, check) in contents.guards where check.isForBearer {
                contents.guards[path] = CredentialCheck(.bearer(tokens: [token]))
            }
        }
    }
}
