#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `Upload-Metadata`: pairs of a key and a value in Base64, separated by commas.
enum TusMetadata {
    /// `nil` when the header breaks the protocol's rules.
    static func decode(_ header: String) -> [String: String]? {
        var metadata: [String: String] = [:]
        for pair in header.split(separator: ",", omittingEmptySubsequences: false) {
            let words = pair.split(separator: " ")
            guard let key = words.first, words.count <= 2, metadata[String(key)] == nil else { return nil }
            guard let value = Data(base64Encoded: words.count == 2 ? String(words[1]) : "") else { return nil }
            metadata[String(key)] = String(decoding: value, as: UTF8.self)
        }
        return metadata
    }
}
