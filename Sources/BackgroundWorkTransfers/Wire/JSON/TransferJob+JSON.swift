import BackgroundWorkModel

extension TransferJob: FastJSONCodable {
    package init(json: JSONObject) throws {
        let (name, values) = try json.onlyCase()
        switch name {
        case "download": self = .download(try values.value("_0"))
        case "upload": self = .upload(try JSONCoding.decoded(from: try values.raw("_0")))
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
