import BackgroundWorkModel
import Foundation

/// Compares what a type reads and writes by hand with what Foundation's coders do. Each check says what went wrong.
package enum FastJSONCheck<Value: FastJSONCodable & Equatable> {
    private static func read(_ bytes: [UInt8]) -> Value? {
        bytes.withUnsafeBufferPointer { bytes in try? Value(json: JSONObject(bytes)) }
    }

    /// Tells texts apart that are equal as strings.
    private static func isSame(_ one: Value, _ other: Value) -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return one == other && (try? encoder.encode(one)) == (try? encoder.encode(other))
    }

    /// The decoder reads what is written by hand, and so does the hand.
    package static func writing(_ value: Value) throws -> String? {
        let text = try FastJSON.text(of: value)
        guard let decoded = try? JSONDecoder().decode(Value.self, from: Data(text.utf8)), isSame(decoded, value) else {
            return "the decoder does not read \(text.debugDescription) as \(value)"
        }
        guard let own = read(Array(text.utf8)), isSame(own, value) else {
            return "\(text.debugDescription) does not read back as \(value)"
        }
        return nil
    }

    /// What the encoder writes is read by hand, without the decoder.
    package static func reading(_ value: Value) throws -> String? {
        let formattings: [JSONEncoder.OutputFormatting] = [
            [], .sortedKeys, .prettyPrinted, [.sortedKeys, .withoutEscapingSlashes],
        ]
        for formatting in formattings {
            let encoder = JSONEncoder()
            encoder.outputFormatting = formatting
            let bytes = [UInt8](try encoder.encode(value))
            guard let own = read(bytes), isSame(own, value) else {
                return
                    "the encoder's \(String(decoding: bytes, as: UTF8.self).debugDescription) is not read as \(value)"
            }
        }
        return nil
    }

    /// Unknown fields are skipped, whatever they contain.
    package static func unknownFields(_ value: Value) throws -> String? {
        let text = try FastJSON.text(of: value)
        let more = "{\"unknown\":[{\"a\":1e400}],\"\\u0020\":{\"id\":null},\"n\":-0.5e-3,\(text.dropFirst())"
        guard let own = read(Array(more.utf8)), isSame(own, value) else {
            return "\(more.debugDescription) does not read as \(value)"
        }
        return nil
    }

    /// What is read out of a damaged text is what the decoder reads out of it. Returns also how many were read.
    package static func damage(
        _ value: Value, rounds: Int, using generator: inout SeededGenerator
    ) throws -> (complaint: String?, read: Int) {
        let whole = Array(try FastJSON.text(of: value).utf8)
        var texts = whole.indices.map { Array(whole[..<$0]) }
        for position in whole.indices {
            var flipped = whole
            flipped[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            texts.append(flipped)
        }
        for _ in 0..<rounds {
            var text = whole
            JSONMutation.apply(to: &text, using: &generator)
            texts.append(text)
        }
        var count = 0
        for text in texts {
            guard let own = read(text) else { continue }
            count += 1
            guard let decoded = try? JSONDecoder().decode(Value.self, from: Data(text)), isSame(own, decoded) else {
                return ("\(String(decoding: text, as: UTF8.self).debugDescription) is read as \(own)", count)
            }
        }
        return (nil, count)
    }
}
