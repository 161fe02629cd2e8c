import BackgroundWorkModel

/// The progress of a transfer as the daemon reports it: at most ten times a second, and at once after connecting.
public struct TransferProgress: Sendable, Hashable, Codable {
    /// The work item that waits for it.
    public var workID: String
    /// The session that it belongs to.
    public var sessionIdentifier: String
    /// Its number in that session.
    public var taskIdentifier: Int64
    /// The label under which it is observed with others.
    public var group: String?
    /// Whether bytes go to the server.
    public var isUpload: Bool
    /// What it is doing.
    public var phase: TransferPhase
    /// The bytes of the file that have been moved.
    public var bytes: Int64
    /// The file's length; `nil` while it is unknown.
    public var totalBytes: Int64?
    /// The recent speed; `nil` while nothing moves.
    public var bytesPerSecond: Int64?

    package init(
        workID: String, sessionIdentifier: String, taskIdentifier: Int64, group: String? = nil, isUpload: Bool = false,
        phase: TransferPhase, bytes: Int64, totalBytes: Int64?, bytesPerSecond: Int64?
    ) {
        self.workID = workID
        self.sessionIdentifier = sessionIdentifier
        self.taskIdentifier = taskIdentifier
        self.group = group
        self.isUpload = isUpload
        self.phase = phase
        self.bytes = bytes
        self.totalBytes = totalBytes
        self.bytesPerSecond = bytesPerSecond
    }

    /// From an entry of the daemon's list.
    package init(_ snapshot: TransferSnapshot) {
        self.init(
            workID: snapshot.reference.key.workID, sessionIdentifier: snapshot.sessionIdentifier,
            taskIdentifier: snapshot.taskIdentifier, group: snapshot.group, isUpload: snapshot.isUpload,
            phase: snapshot.phase, bytes: snapshot.receivedBytes, totalBytes: snapshot.totalBytes,
            bytesPerSecond: snapshot.bytesPerSecond)
    }

    /// From 0 to 1; `nil` while the length is unknown.
    public var fraction: Double? { TransferPace.fraction(bytes, of: totalBytes) }

    /// At the recent speed; `nil` while that or the length is unknown.
    public var timeLeft: Duration? {
        TransferPace.timeLeft(bytes, of: totalBytes, bytesPerSecond: bytesPerSecond)
    }
}

/// What a transfer is doing.
public enum TransferPhase: Sendable, Hashable, Codable {
    /// What a transfer may wait for.
    public enum Reason: String, Sendable, Hashable, Codable {
        /// To be started by the host that recorded it.
        case host
        /// One of the slots that ``TransferLimits`` allow.
        case slot
        /// Its earliest start time.
        case earliestBegin
        /// A network.
        case network
        /// A network that is not metered.
        case unmeteredNetwork
        /// External power.
        case power
        /// The daemon's next attempt after a failed one.
        case nextTry = "nextAttempt"
    }

    case waiting(Reason)
    case running
    case paused
    /// The bytes were received; they are being checked and made durable, or wait for a host that processes the outcome.
    case finishing
    case succeeded
    case failed(message: String)
}

/// Values computed from the transferred bytes, the total and the speed.
package enum TransferPace {
    /// From 0 to 1; `nil` while the whole is unknown. Of nothing all has been moved.
    package static func fraction(_ bytes: Int64, of total: Int64?) -> Double? {
        guard let total else { return nil }
        return total > 0 ? min(max(Double(bytes) / Double(total), 0), 1) : 1
    }

    /// How long the rest takes at a speed; `nil` while that or the whole is unknown, and while nothing moves.
    package static func timeLeft(_ bytes: Int64, of total: Int64?, bytesPerSecond: Int64?) -> Duration? {
        guard let total, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        return .seconds(max(0, Double(total - bytes)) / Double(bytesPerSecond))
    }
}

// By hand, since of many small transfers each one that waits for a slot is reported.
extension TransferProgress: FastJSONCodable {
    package init(json: JSONObject) throws {
        self.init(
            workID: try json.string("workID"), sessionIdentifier: try json.string("sessionIdentifier"),
            taskIdentifier: try json.integer("taskIdentifier"), group: try json.optionalString("group"),
            isUpload: try json.flag("isUpload"), phase: try json.value("phase"), bytes: try json.integer("bytes"),
            totalBytes: try json.optionalInteger("totalBytes"),
            bytesPerSecond: try json.optionalInteger("bytesPerSecond"))
    }

    package func write(to json: inout JSONWriter) throws {
        json.open()
        json.member("workID", workID)
        json.member("sessionIdentifier", sessionIdentifier)
        json.member("taskIdentifier", taskIdentifier)
        if let group { json.member("group", group) }
        json.member("isUpload", isUpload)
        try json.member("phase", phase)
        json.member("bytes", bytes)
        if let totalBytes { json.member("totalBytes", totalBytes) }
        if let bytesPerSecond { json.member("bytesPerSecond", bytesPerSecond) }
        json.close()
    }
}

extension TransferPhase: FastJSONCodable {
    package init(json: JSONObject) throws {
        let (name, values) = try json.onlyCase()
        switch name {
        case "waiting":
            guard let reason = Reason(rawValue: try values.string("_0")) else { throw JSONMismatch() }
            self = .waiting(reason)
        case "running": self = .running
        case "paused": self = .paused
        case "finishing": self = .finishing
        case "succeeded": self = .succeeded
        case "failed": self = .failed(message: try values.string("message"))
        default: throw JSONMismatch()
        }
    }

    package func write(to json: inout JSONWriter) {
        json.open()
        switch self {
        case .waiting(let reason):
            json.begin("waiting")
            json.open()
            json.member("_0", reason.rawValue)
        case .running: Self.begin("running", in: &json)
        case .paused: Self.begin("paused", in: &json)
        case .finishing: Self.begin("finishing", in: &json)
        case .succeeded: Self.begin("succeeded", in: &json)
        case .failed(let message):
            json.begin("failed")
            json.open()
            json.member("message", message)
        }
        json.close()
        json.close()
    }

    private static func begin(_ name: StaticString, in json: inout JSONWriter) {
        json.begin(name)
        json.open()
    }
}
