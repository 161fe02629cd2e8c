import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers

/// A directory of standalone transfers: used by one object while its lock is held, in this process or another.
///
/// The daemon's outcomes go to whoever is connected to it, so a second owner would get the outcomes that the first
/// waits for.
struct StandaloneFolder: Sendable {
    static let databaseName = "standalone.sqlite"
    static let schedulerDatabaseName = "work.sqlite"
    static let lockName = "direct.lock"
    private static let signName = "direct.alive"

    let path: String
    /// Held by the kernel for this process, and released when the process ends, however it ends.
    let lock: AdvisoryLock
    /// In place of the lock, where that must not be held during a suspension.
    private let sign: LifeSign?
    /// Under which the locks are held that are taken for a moment; `nil` where they need none.
    let activities: (any ExpiringActivities)?

    /// Makes the folder if it is missing. Throws ``ConfigurationError`` when it belongs to a scheduler or to another
    /// `Downloader` or `Uploader`.
    init(_ configuration: StandaloneTransferConfiguration) throws {
        try Self.check(configuration)
        let path = DurableFile.withoutTrailingSlashes(
            configuration.directory.absoluteURL.path(percentEncoded: false))
        try Folder.create(path, mode: 0o700)
        try ConfigurationError.check(privacyOf: path)
        guard access("\(path)/\(Self.schedulerDatabaseName)", F_OK) != 0 else {
            throw ConfigurationError.directoryOfScheduler(path)
        }
        guard let lock = try AdvisoryLock(path: "\(path)/\(Self.lockName)", contention: .giveUp) else {
            throw ConfigurationError.directoryInUse(path)
        }
        let signPath = "\(path)/\(Self.signName)"
        if LifeSign.isShown(at: signPath) ?? false { throw ConfigurationError.directoryInUse(path) }
        activities = SuspensionGuard.activities(
            configuration.expiringActivities, ifNeeded: configuration.releasesLocksWhenSuspended, in: path)
        sign = activities == nil ? nil : LifeSign(at: signPath)
        if sign != nil { lock.letGo() }
        OwnDirectories.register(path)
        self.path = path
        self.lock = lock
    }

    /// Whether direct transfers keep their record in a folder.
    static func isOne(_ path: String) -> Bool { access("\(path)/\(databaseName)", F_OK) == 0 }

    private static func check(_ configuration: StandaloneTransferConfiguration) throws {
        guard configuration.directory.isFileURL else {
            throw ConfigurationError.directoryIsNoFile(configuration.directory.absoluteString)
        }
        let limits = configuration.transferLimits
        let numbers = [
            ("transferLimits.overall", limits.overall), ("limits.perHost", limits.perHost),
            ("transferLimits.perSession", limits.perSession),
            ("transferLimits.bytesPerSecond", Int(clamping: limits.bytesPerSecond ?? 1)),
        ]
        for (name, value) in numbers where value < 1 {
            throw ConfigurationError.notPositive(name: name, value: value)
        }
        try ConfigurationError.check(configuration.transferLimits)
        try ConfigurationError.check(configuration.securityPolicy)
        if let reason = configuration.launchCommand?.complaint {
            throw ConfigurationError.launchCommand(reason: reason)
        }
    }
}
