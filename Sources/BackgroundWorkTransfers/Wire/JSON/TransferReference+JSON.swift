import BackgroundWorkModel

extension TransferReference: FastJSONCodable {
    package init(json: JSONObject) throws {
        guard let key = TransferKey(try json.string("key")) else { throw JSONMismatch() }
        self.init(store: try json.string("store"), key: key)
    }

    package func write(to json: inout JSONWriter) {
        json.open()
        json.member("store", store)
        json.member("key", key.description)
        json.close()
    }
}
