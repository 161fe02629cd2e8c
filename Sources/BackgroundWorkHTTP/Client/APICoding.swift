import BackgroundWorkFoundation

/// The coders of an ``APIClient`` that is given none.
package enum APICoding {
    @Sendable package static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            guard let text = text(of: date) else {
                let context = EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: "not a date of the years 0 to 9999")
                // Not the date, which Foundation cannot describe.
                throw EncodingError.invalidValue(date.timeIntervalSince1970, context)
            }
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
        return encoder
    }

    /// In UTC, to the millisecond; `nil` for a date whose year has not four digits.
    private static func text(of date: Date) -> String? {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard milliseconds >= -62_167_219_200_000, milliseconds < 253_402_300_800_000 else { return nil }
        let seconds = (milliseconds / 1000).rounded(.down)
        let fraction = Int(milliseconds - seconds * 1000)
        let whole = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
        if fraction == 0 { return whole }
        let digits = String(fraction)
        return "\(whole.dropLast()).\(String(repeating: "0", count: 3 - digits.count))\(digits)Z"
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
