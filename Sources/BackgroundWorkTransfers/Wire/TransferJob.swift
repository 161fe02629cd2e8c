import BackgroundWorkModel

/// What a transfer moves, and in which direction.
package enum TransferJob: Sendable, Hashable, Codable {
    case download(DownloadJob)
    case upload(UploadJob)

    package var isUpload: Bool { if case .upload = self { true } else { false } }
}

/// What is particular to a download.
package struct DownloadJob: Sendable, Hashable, Codable {
    package var checksum: FileChecksum?
    package var onDuplicate = DuplicatePolicy.overwrite
    package var maxBytes: Int64?
    package var isResumable = true
    package var mirrors: [String] = []
    package var connections = ConnectionPlan.standard
    /// Whether `savePath` is a folder, and the file gets the name that the server suggests. It ends in `/` then.
    package var savesIntoFolder = false
    /// Where the volume of `savePath` was mounted at hand-off; `nil` for the root's.
    package var mountPoint: String?
    /// Where an earlier transfer of the file has stopped, in its service's words: ``TransferFailure/resumeToken``.
    package var resumeToken: String?
    /// The permissions of the finished file; `nil` for those of a new file.
    package var fileMode: FileMode?

    package init() {}
}

/// What is particular to an upload.
package struct UploadJob: Sendable, Hashable, Codable {
    package var method: String
    package var form: UploadForm
    /// The file as it was at hand-off.
    package var source: UploadSource

    package init(method: String, form: UploadForm, source: UploadSource) {
        self.method = method
        self.form = form
        self.source = source
    }
}

extension TransferJob: FastJSONCodable {
    package init(json: JSONObject) throws {
        let (name, values) = try json.onlyCase()
        switch name {
        case "download": self = .download(try values.value("_0"))
        case "upload": self = .upload(try JSONCoding.value(from: try values.raw("_0")))
        default: throw JSONMismatch()
        }
    }

    package func write(to json: inout JSONWriter) throws {
        json.open()
        switch self {
        case .download(let job):
            json.begin("download")
            json.open()
            try json.member("_0", job)
        case .upload(let job):
            json.begin("upload")
            json.open()
            try json.member("_0", encoding: job)
        }
        json.close()
        json.close()
    }
}

extension DownloadJob: FastJSONCodable {
    package init(json: JSONObject) throws {
        guard let onDuplicate = DuplicatePolicy(rawValue: try json.string("onDuplicate")) else { throw JSONMismatch() }
        self.init()
        checksum = try json.optionalObject("checksum").map(FileChecksum.init)
        self.onDuplicate = onDuplicate
        maxBytes = try json.optionalInteger("maxBytes")
        isResumable = try json.flag("isResumable")
        let mirrors = try json.raw("mirrors")
        if !mirrors.spells("[]") { self.mirrors = try JSONCoding.value(from: mirrors) }
        connections = try ConnectionPlan(json: try json.object("connections"))
        savesIntoFolder = try json.flag("savesIntoFolder")
        mountPoint = try json.optionalString("mountPoint")
        resumeToken = try json.optionalString("resumeToken")
        fileMode = try json.optionalString("fileMode").map { try FileMode(digits: $0) ?? { throw JSONMismatch() }() }
    }

    package func write(to json: inout JSONWriter) {
        json.open()
        if let checksum {
            json.begin("checksum")
            json.open()
            json.member("algorithm", checksum.algorithm.rawValue)
            json.member("hex", checksum.hex)
            json.close()
        }
        json.member("onDuplicate", onDuplicate.rawValue)
        if let maxBytes { json.member("maxBytes", maxBytes) }
        json.member("isResumable", isResumable)
        json.begin("mirrors")
        json.strings(mirrors)
        json.begin("connections")
        connections.write(to: &json)
        json.member("savesIntoFolder", savesIntoFolder)
        if let mountPoint { json.member("mountPoint", mountPoint) }
        if let resumeToken { json.member("resumeToken", resumeToken) }
        if let fileMode { json.member("fileMode", fileMode.digits) }
        json.close()
    }
}

extension FileChecksum {
    fileprivate init(json: JSONObject) throws {
        guard let algorithm = ChecksumAlgorithm(rawValue: try json.string("algorithm")) else { throw JSONMismatch() }
        self.init(algorithm, hex: "")
        hex = try json.string("hex")
    }
}

extension ConnectionPlan {
    fileprivate init(json: JSONObject) throws {
        let (name, values) = try json.onlyCase()
        switch name {
        case "adaptive": self = .adaptive(upTo: try values.integer("upTo"))
        case "fixed": self = .fixed(try values.integer("_0"))
        default: throw JSONMismatch()
        }
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.open()
        switch self {
        case .adaptive(let count):
            json.begin("adaptive")
            json.open()
            json.member("upTo", count)
        case .fixed(let count):
            json.begin("fixed")
            json.open()
            json.member("_0", count)
        }
        json.close()
        json.close()
    }
}
