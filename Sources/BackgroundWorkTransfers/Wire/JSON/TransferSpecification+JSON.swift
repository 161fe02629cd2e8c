import BackgroundWorkModel

extension TransferSpecification: FastJSONCodable {
    private static let lastOptions = LastDecoded<TransferOptions>()

    /// Reads what this version writes. Earlier forms have no options.
    package init(json: JSONObject) throws {
        guard let policy = AddressPolicy(rawValue: try json.string("addressPolicy")) else { throw JSONMismatch() }
        let options = try json.raw("options")
        guard options.first == UInt8(ascii: "{") else { throw JSONMismatch() }
        self.init(
            reference: try json.value("reference"), sessionIdentifier: try json.string("sessionIdentifier"),
            url: try json.string("url"), job: try json.value("job"),
            options: try Self.lastOptions.value(from: options), addressPolicy: policy,
            savePath: try json.string("savePath"), workerName: try json.string("workerName"))
    }

    package func write(to json: inout JSONWriter) throws {
        json.open()
        try json.member("reference", reference)
        json.member("sessionIdentifier", sessionIdentifier)
        json.member("url", url)
        try json.member("job", job)
        json.begin("options")
        options.write(to: &json)
        json.member("addressPolicy", addressPolicy.rawValue)
        json.member("savePath", savePath)
        json.member("workerName", workerName)
        json.close()
    }
}
