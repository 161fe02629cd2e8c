import BackgroundWorkModel

extension DownloadJob: FastJSONCodable {
    package init(json: JSONObject) throws {
        guard let onDuplicate = DuplicatePolicy(rawValue: try json.string("onDuplicate")) else { throw JSONMismatch() }
        self.init()
        checksum = try json.optionalObject("checksum").map(FileChecksum.init)
        self.onDuplicate = onDuplicate
        maxBytes = try json.optionalInteger("maxBytes")
        isResumable = try json.flag("isResumable")
        let mirrors = try json.raw("mirrors")
        if !mirrors.spells("[]") { self.mirrors = try JSONCoding.decoded(from: mirrors) }
        connections = try ConnectionPlan(json: try json.object("connections"))
        savesIntoFolder = try json.flag("savesIntoFolder")
        mountPoint = try json.optionalString("mountPoint")
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
