#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Frames on the agent's socket: four bytes of length, big-endian, then that many bytes of JSON.
package enum FrameCodec {
    /// Version 2 added `setWakes`; version 3 uploads, options, control and progress. An earlier agent could not read them.
    package static let protocolVersion = 3
    /// A longer frame is refused before its body is read.
    package static let maximumBytes = 1 << 20

    package static func encode(_ frame: some Encodable) throws -> [UInt8] {
        let body = try JSONEncoder().encode(frame)
        guard body.count <= maximumBytes else { throw FrameError.oversized(bytes: body.count) }
        let length = UInt32(body.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(body.count + 4)
        withUnsafeBytes(of: length.bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: body)
        return bytes
    }

    package static func decode<Frame: Decodable>(_ type: Frame.Type, from body: [UInt8]) throws -> Frame {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw FrameError.garbled(String(decoding: body.prefix(64), as: UTF8.self), reason: "\(error)")
        }
    }
}
