import BackgroundWorkModel

/// How a transfer ended, as the daemon recorded it durably before delivering it.
package struct TransferOutcome: Sendable, Hashable, Codable {
    package enum Result: Sendable, Hashable, Codable {
        /// The whole file is at `stagingPath`, fsynced. It may be renamed away; only the agent deletes it.
        case delivered(stagingPath: String, bytes: Int64, statusCode: Int, finalURL: String)
        /// The server has accepted the whole file.
        case uploaded(bytes: Int64, statusCode: Int, finalURL: String)
        case failed(TransferFailure)
    }

    package var reference: TransferReference
    package var sessionIdentifier: String
    package var taskIdentifier: Int64
    package var savePath: String
    package var workerName: String
    package var result: Result
    /// Absent in outcomes that an earlier version recorded.
    package var details: TransferDetails?

    package init(
        reference: TransferReference, sessionIdentifier: String, taskIdentifier: Int64, savePath: String,
        workerName: String, result: Result, details: TransferDetails? = nil
    ) {
        self.reference = reference
        self.sessionIdentifier = sessionIdentifier
        self.taskIdentifier = taskIdentifier
        self.savePath = savePath
        self.workerName = workerName
        self.result = result
        self.details = details
    }
}

/// What else is known of a transfer that has ended.
package struct TransferDetails: Sendable, Hashable, Codable {
    /// From the first byte of the first request to the end, in milliseconds; waits between attempts included.
    package var durationMs: Int64 = 0
    /// How many requests for the file were made, ranges of one try counted as one.
    package var requests = 1
    /// Headers of the last response, by their names in lower case: ``ResponseHeaderNames/kept``.
    package var headers: [String: String] = [:]
    /// The start of the answer to an upload, as text.
    package var responseBody: String?
    /// A name for the file that is safe to use, when `savePath` is a folder.
    package var suggestedName: String?
    package var onDuplicate = DuplicatePolicy.overwrite
    /// Of a download: `DownloadJob.mountPoint`.
    package var mountPoint: String?
    /// Of a download: `DownloadJob.fileMode`.
    package var fileMode: FileMode?
    /// Of a download: the folders that its security policy allows; `nil` for all but the system's.
    package var allowedDirectories: [String]?

    package init() {}

    /// Adds what the placing of a download's file needs of its specification.
    package mutating func add(_ job: DownloadJob, under policy: SecurityPolicy) {
        onDuplicate = job.onDuplicate
        mountPoint = job.mountPoint
        fileMode = job.fileMode
        allowedDirectories = policy.allowedDirectories?.sorted()
    }

    private enum CodingKeys: String, CodingKey {
        case durationMs, headers, responseBody, suggestedName, onDuplicate, mountPoint
        case fileMode, allowedDirectories
        // What journals and other versions call it.
        case requests = "attempts"
    }
}

extension TransferOutcome: FastJSONCodable {
    package init(json: JSONObject) throws {
        self.init(
            reference: try json.value("reference"), sessionIdentifier: try json.string("sessionIdentifier"),
            taskIdentifier: try json.integer("taskIdentifier"), savePath: try json.string("savePath"),
            workerName: try json.string("workerName"), result: try json.value("result"),
            details: try json.optionalObject("details").map(TransferDetails.init))
    }

    package func write(to json: inout JSONWriter) throws {
        json.open()
        try json.member("reference", reference)
        json.member("sessionIdentifier", sessionIdentifier)
        json.member("taskIdentifier", taskIdentifier)
        json.member("savePath", savePath)
        json.member("workerName", workerName)
        try json.member("result", result)
        if let details { try json.member("details", details) }
        json.close()
    }
}

extension TransferOutcome.Result: FastJSONCodable {
    package init(json: JSONObject) throws {
        let (name, values) = try json.onlyCase()
        switch name {
        case "delivered":
            self = .delivered(
                stagingPath: try values.string("stagingPath"), bytes: try values.integer("bytes"),
                statusCode: try values.integer("statusCode"), finalURL: try values.string("finalURL"))
        case "uploaded":
            self = .uploaded(
                bytes: try values.integer("bytes"), statusCode: try values.integer("statusCode"),
                finalURL: try values.string("finalURL"))
        case "failed": self = .failed(try JSONCoding.value(from: try values.raw("_0")))
        default: throw JSONMismatch()
        }
    }

    package func write(to json: inout JSONWriter) throws {
        json.open()
        switch self {
        case .delivered(let stagingPath, let bytes, let statusCode, let finalURL):
            json.begin("delivered")
            json.open()
            json.member("stagingPath", stagingPath)
            json.member("bytes", bytes)
            json.member("statusCode", statusCode)
            json.member("finalURL", finalURL)
        case .uploaded(let bytes, let statusCode, let finalURL):
            json.begin("uploaded")
            json.open()
            json.member("bytes", bytes)
            json.member("statusCode", statusCode)
            json.member("finalURL", finalURL)
        case .failed(let failure):
            json.begin("failed")
            json.open()
            try json.member("_0", encoding: failure)
        }
        json.close()
        json.close()
    }
}

extension TransferDetails: FastJSONCodable {
    package init(json: JSONObject) throws {
        guard let onDuplicate = DuplicatePolicy(rawValue: try json.string("onDuplicate")) else { throw JSONMismatch() }
        self.init()
        durationMs = try json.integer("durationMs")
        requests = try json.integer("attempts")
        headers = try json.object("headers").strings()
        responseBody = try json.optionalString("responseBody")
        suggestedName = try json.optionalString("suggestedName")
        self.onDuplicate = onDuplicate
        mountPoint = try json.optionalString("mountPoint")
        fileMode = try json.optionalString("fileMode").map { try FileMode(digits: $0) ?? { throw JSONMismatch() }() }
        allowedDirectories = try json.optionalStrings("allowedDirectories")
    }

    package func write(to json: inout JSONWriter) {
        json.open()
        json.member("durationMs", durationMs)
        json.member("attempts", requests)
        json.begin("headers")
        json.strings(headers)
        if let responseBody { json.member("responseBody", responseBody) }
        if let suggestedName { json.member("suggestedName", suggestedName) }
        json.member("onDuplicate", onDuplicate.rawValue)
        if let mountPoint { json.member("mountPoint", mountPoint) }
        if let fileMode { json.member("fileMode", fileMode.digits) }
        if let allowedDirectories {
            json.begin("allowedDirectories")
            json.strings(allowedDirectories)
        }
        json.close()
    }
}
