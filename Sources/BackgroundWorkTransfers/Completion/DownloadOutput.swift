#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The `outputJSON` of a finished download.
struct DownloadOutput: Codable {
    var savePath: String
    var bytes: Int64
    var statusCode: Int?
    var url: String?

    func encoded() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
