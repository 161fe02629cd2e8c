import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkSystem
import BackgroundWorkTransfers

/// A scheduler, a `Downloader` or an `Uploader` could not be created from its configuration.
public enum ConfigurationError: Error, Hashable, CustomStringConvertible {
    /// The directory is not a file URL.
    case directoryIsNoFile(String)
    /// The number must be at least 1.
    case notPositive(name: String, value: Int)
    /// A rate limit needs a count of at least 1 and a period above zero and of at most 100 years.
    case invalidRate(queue: String)
    /// The agent could not execute the launch command.
    case launchCommand(reason: String)
    /// An entry of the security policy cannot be understood.
    case invalidSecurityPolicy(reason: String)
    /// A `Downloader` or an `Uploader` was given the directory of a scheduler.
    case directoryOfScheduler(String)
    /// A scheduler was given the directory of a `Downloader` or an `Uploader`.
    case directoryOfStandaloneTransfers(String)
    /// Another `Downloader` or `Uploader`, of this process or another, uses the directory.
    case directoryInUse(String)
    /// Others could put files into the directory, or it belongs to another user.
    case directoryNotPrivate(path: String, reason: String)
    /// A later version of this package has written the directory's database, which was left as it is. The versions are
    /// those of the database's schema.
    case databaseTooNew(path: String, version: Int, newestKnown: Int)
    /// The file cannot be read before the device is unlocked, usually for the first time after a restart. Nothing was
    /// changed: a try after that succeeds. On iOS, tvOS, visionOS and Mac Catalyst.
    case protectedDataUnavailable(path: String)
    /// A `Downloader` or an `Uploader` was given a `URLSessionConfiguration` that is no background one.
    case sessionNotInBackground
    /// An option that the platform has nothing for.
    case unsupportedHere(name: String, reason: String)

    /// What is wrong, and what is valid.
    public var description: String {
        switch self {
        case .directoryIsNoFile(let url): "The directory must be a file URL with an absolute path, not \"\(url)\"."
        case .notPositive(let name, let value): "\(name) must be at least 1, not \(value)."
        case .invalidRate(let queue):
            "The rate limit of the queue \"\(queue)\" needs a count of at least 1 and a period above zero."
        case .launchCommand(let reason): "The launchCommand cannot be used: \(reason)."
        case .invalidSecurityPolicy(let reason): "The securityPolicy cannot be used: its \(reason)."
        case .sessionNotInBackground:
            "The session would end with the process. Make its configuration with "
                + "URLSessionConfiguration.background(withIdentifier:)."
        case .unsupportedHere(let name, let reason): "\(name) cannot be set on this platform: \(reason)."
        case .directoryOfScheduler(let path):
            "\(path) is the directory of a scheduler. Give a Downloader or Uploader a directory of its own."
        case .directoryOfStandaloneTransfers(let path):
            "\(path) is the directory of a Downloader or Uploader. Give the scheduler a directory of its own."
        case .directoryInUse(let path):
            "\(path) is in use by another Downloader or Uploader, in this process or another. Give each its own "
                + "directory, share one within the process, or wait until the other has shut down."
        case .directoryNotPrivate(let path, let reason):
            "\(path) cannot hold work, because \(reason). Give a directory that belongs to this user and that no other "
                + "user may write to (chmod go-w)."
        case .databaseTooNew(let path, let version, let newestKnown):
            "The database \(path) has schema version \(version), but this program knows only up to \(newestKnown). "
                + "The file was left untouched. Run the program version that wrote it, or a later one."
        case .protectedDataUnavailable(let path):
            "\(path) cannot be read before the device is unlocked: after a restart it has to be unlocked once. Nothing was "
                + "changed. Try again at the next launch, or when the app is told that protected data is available "
                + "(applicationProtectedDataDidBecomeAvailable)."
        }
    }
}

extension ConfigurationError {
    /// Throws ``unsupportedHere(name:reason:)`` for limits that the platform's daemon does not keep.
    static func check(_ limits: TransferLimits) throws {
        let standard = TransferLimits()
        let differing = [
            ("overall", limits.overall != standard.overall), ("perSession", limits.perSession != standard.perSession),
            ("bytesPerSecond", limits.bytesPerSecond != standard.bytesPerSecond),
        ]
        guard let reason = PlatformServices.onlyLimitsHosts, let (name, _) = differing.first(where: \.1) else { return }
        throw unsupportedHere(name: "transferLimits." + name, reason: reason)
    }

    /// Throws ``invalidSecurityPolicy(reason:)`` for a policy with an entry that means nothing.
    static func check(_ policy: SecurityPolicy) throws {
        if let reason = policy.complaint { throw invalidSecurityPolicy(reason: reason) }
    }

    /// Throws ``directoryNotPrivate(path:reason:)`` unless only this user can change the directory.
    static func check(privacyOf directory: String) throws {
        if let reason = try PrivateFolder.complaint(about: directory) {
            throw ConfigurationError.directoryNotPrivate(path: directory, reason: reason)
        }
    }

    /// Opens files. Throws ``databaseTooNew(path:version:newestKnown:)`` for the storage's error of that meaning, and
    /// ``protectedDataUnavailable(path:)`` for files that the system withholds until the device is unlocked.
    static func opening<Database>(_ open: () throws -> Database) throws -> Database {
        do {
            return try open()
        } catch let error as SchemaTooNewError {
            throw databaseTooNew(path: error.path, version: error.found, newestKnown: error.supported)
        } catch let error as FileError where FileAttributes.isWithheld(error.path, code: error.code) {
            throw protectedDataUnavailable(path: error.path)
        } catch let error as SQLiteError
            where error.isNotPermitted && FileAttributes.isWithheld(error.path, code: EPERM)
        {
            throw protectedDataUnavailable(path: error.path)
        }
    }
}

extension ConfigurationError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
