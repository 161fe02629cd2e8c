/// The name of one transfer: the work item it belongs to and the item's generation.
///
/// A retry after an outcome and a replacement each take a new generation, so a late outcome can be distinguished from
/// the awaited one. Written `workID#generation`.
package struct TransferKey: Sendable, Hashable, Codable, CustomStringConvertible {
    package var workID: String
    package var generation: Int64

    package init(workID: String, generation: Int64) {
        self.workID = workID
        self.generation = generation
    }

    /// Reads `workID#generation`; the work id may itself contain `#`.
    package init?(_ text: String) {
        // By bytes: a `Character` may combine with a following mark.
        let bytes = text.utf8
        guard let mark = bytes.lastIndex(of: UInt8(ascii: "#")), mark != bytes.startIndex,
            let generation = Int64(text[bytes.index(after: mark)...])
        else { return nil }
        self.init(workID: String(text[..<mark]), generation: generation)
    }

    package var description: String { "\(workID)#\(generation)" }

    /// By bytes, as the database distinguishes ids; canonically equivalent strings would be equal otherwise.
    package static func == (lhs: TransferKey, rhs: TransferKey) -> Bool {
        lhs.generation == rhs.generation && lhs.workID.utf8.elementsEqual(rhs.workID.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(workID)
        hasher.combine(generation)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let key = TransferKey(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is not a transfer key of the form workID#generation")
        }
        self = key
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
