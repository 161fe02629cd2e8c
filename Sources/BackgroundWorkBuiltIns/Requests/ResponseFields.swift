/// What is taken of a response, as two fields of an input.
struct ResponseFields: Codable {
    private var maxResponseBytes: Int64?
    private var keepResponseBody: Bool?

    init(limit: Int64?, isKept: Bool) { (maxResponseBytes, keepResponseBody) = (limit, isKept ? true : nil) }

    var limit: Int64? { maxResponseBytes }
    var isKept: Bool { keepResponseBody ?? false }
}
