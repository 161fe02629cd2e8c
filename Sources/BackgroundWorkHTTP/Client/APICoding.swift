import BackgroundWorkFoundation

/// The coders of an ``APIClient`` that is given none.
package enum APICoding {
    @Sendable package static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }

    @Sendable package static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            // The strategy iso8601 takes no fractions, which many servers write.
            for hasFraction in [false, true] {
                let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)
                if let date = try? style.parse(text) { return date }
            }
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date of ISO 8601")
        }
        return decoder
    }
}
