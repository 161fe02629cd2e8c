import BackgroundWorkFiles
import BackgroundWorkModel

// By hand, because each download stores and reads one.

extension FileMove: FastJSONCodable {
    package init(json: JSONObject) throws {
        var collision = Collision.replace
        if let name = try json.optionalString("collision") {
            guard let known = Collision(rawValue: name) else { throw JSONMismatch() }
            collision = known
        }
        self.init(
            temporaryPath: try json.string("temporaryPath"), targetPath: try json.string("targetPath"),
            identity: try json.value("identity"), collision: collision,
            wantedPath: try json.optionalString("wantedPath"), particulars: try json.optionalString("particulars"),
            mountPoint: try json.optionalString("mountPoint"),
            mode: try json.optionalInteger("mode").map { (mode: Int64) in
                guard let mode = UInt16(exactly: mode) else { throw JSONMismatch() }
                return mode
            },
            allowedDirectories: try json.optionalStrings("allowedDirectories"))
    }

    package func write(to json: inout JSONWriter) throws {
        json.open()
        json.member("temporaryPath", temporaryPath)
        json.member("targetPath", targetPath)
        try json.member("identity", identity)
        json.member("collision", collision.rawValue)
        json.member("wantedPath", wantedPath)
        if let particulars { json.member("particulars", particulars) }
        if let mountPoint { json.member("mountPoint", mountPoint) }
        if let mode { json.member("mode", Int64(mode)) }
        if let allowedDirectories {
            json.begin("allowedDirectories")
            json.strings(allowedDirectories)
        }
        json.close()
    }
}

extension FileIdentity: FastJSONCodable {
    package init(json: JSONObject) throws {
        self.init(
            device: try json.integer("device"), inode: try json.integer("inode"), bytes: try json.integer("bytes"))
    }

    package func write(to json: inout JSONWriter) {
        json.open()
        json.member("device", device)
        json.member("inode", inode)
        json.member("bytes", bytes)
        json.close()
    }
}
