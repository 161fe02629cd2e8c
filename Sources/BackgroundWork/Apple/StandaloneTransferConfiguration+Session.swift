import BackgroundWorkFoundation
import BackgroundWorkTransfers
import BackgroundWorkURLSession
import Foundation

extension StandaloneTransferConfiguration {
    /// For transfers in the session of a configuration of one's own: its options and additional headers hold for them.
    ///
    /// The session is created with it unless the process has a session of this identifier already.
    ///
    /// Throws ``ConfigurationError/sessionNotInBackground`` if the configuration is no background one.
    public init(sessionConfiguration session: URLSessionConfiguration, directory: URL) throws {
        guard let identifier = session.identifier else { throw ConfigurationError.sessionNotInBackground }
        self.init(directory: directory)
        sessionIdentifier = identifier
        sessionOptions = BackgroundSessionOptions(session)
        transferLimits.perHost = max(1, session.httpMaximumConnectionsPerHost)
        BackgroundSessions.adopt(session, as: identifier)
    }

    /// The same, with a directory of this name in `BackgroundWork/<identifier>` in Application Support, unless another
    /// one is given.
    fileprivate init(_ session: URLSessionConfiguration, folder: String, directory: URL?) throws {
        let path = "BackgroundWork/\(session.identifier ?? "")/\(folder)"
        try self.init(sessionConfiguration: session, directory: directory ?? Self.directory(path))
    }

    private static func directory(_ path: String) -> URL {
        let support = NSSearchPathForDirectoriesInDomains(.applicationSupportDirectory, .userDomainMask, true).first
        return URL(filePath: support ?? NSHomeDirectory() + "/Library/Application Support").appending(path: path)
    }
}

extension Downloader {
    /// Downloads in the session of a configuration of one's own. Otherwise as ``init(configuration:)``.
    ///
    /// The session is created with it unless the process has a session of this identifier already.
    ///
    /// Throws ``ConfigurationError/sessionNotInBackground`` if the configuration is no background one.
    ///
    /// - Parameter directory: where the record is kept; `BackgroundWork/<identifier>/downloads` in Application Support if
    ///   left out. An app extension names a folder of its app group's container.
    public init(sessionConfiguration: URLSessionConfiguration, directory: URL? = nil) throws {
        try self.init(
            configuration: Configuration(sessionConfiguration, folder: "downloads", directory: directory))
    }
}

extension Uploader {
    /// Uploads in the session of a configuration of one's own. Otherwise as ``init(configuration:)``.
    ///
    /// The session is created with it unless the process has a session of this identifier already.
    ///
    /// Throws ``ConfigurationError/sessionNotInBackground`` if the configuration is no background one.
    ///
    /// - Parameter directory: where the record is kept; `BackgroundWork/<identifier>/uploads` in Application Support if
    ///   left out. An app extension names a folder of its app group's container.
    public init(sessionConfiguration: URLSessionConfiguration, directory: URL? = nil) throws {
        try self.init(configuration: Configuration(sessionConfiguration, folder: "uploads", directory: directory))
    }
}
