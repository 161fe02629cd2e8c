/// The name of one transfer: the work item it belongs to and the item's generation.
///
/// A retry after an outcome and a replacement each take a new generation, so an outcome that arrives late can be
/// told from the one that is waited for. Written `workID#generation`.
package struct TransferKey: Sendable, Hashable, Codable, CustomStringConvertible {
    package var workID: String
    package var generation: Int64

    package init(workID: String, generation: Int64) {
        self.workID = workID
        self.generation = generation
    }

    /// Reads `workID#generation`; the work id may itself contain `#`.
    package init?(_ text: String) {
        guard let mark = text.lastIndex(of: "#"), mark != text.startIndex,
            let generation = Int64(text[text.index(after: mark)...])
        else { return nil }
        self.init(workID: String(text[..<mark]), generation: generation)
    }

    package var description: String { "\(workID)#\(generation)" }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let key = TransferKey(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is no transfer key of the form workID#generation")
        }
        self = key
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
