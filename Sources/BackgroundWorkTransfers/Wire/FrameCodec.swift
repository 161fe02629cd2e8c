import BackgroundWorkFoundation
import BackgroundWorkModel

/// Frames on the agent's socket: four bytes of length, big-endian, then that many bytes of JSON.
package enum FrameCodec {
    /// Version 2 added `setWakes`; version 3 uploads, options, control and progress; version 4 watched files; version 5
    /// cancels several transfers at once. An earlier agent could not read them.
    package static let protocolVersion = 5
    /// A longer frame is refused before its body is read.
    package static let maximumBytes = 1 << 20

    /// As few parts as fit into a frame each.
    package static func parts(of references: [TransferReference]) -> [ArraySlice<TransferReference>] {
        var parts: [ArraySlice<TransferReference>] = []
        var (start, bytes) = (0, 0)
        for (index, reference) in references.enumerated() {
            // JSON writes a byte as six characters at the most (RFC 8259, 7).
            let size = 6 * (reference.store.utf8.count + reference.key.workID.utf8.count) + 100
            if bytes + size > maximumBytes / 2, index > start {
                parts.append(references[start..<index])
                (start, bytes) = (index, 0)
            }
            bytes += size
        }
        if start < references.count { parts.append(references[start...]) }
        return parts
    }

    /// How much of a frame an error shows: which request it is, and nothing of a specification, which has secrets.
    private static let shownBytes = 40

    package static func encode(_ frame: some FastJSONEncodable) throws -> [UInt8] {
        try encode { try frame.write(to: &$0) }
    }

    /// `AgentFrame.outcome` of an outcome that is there as JSON.
    package static func encode(outcomeJSON: String) throws -> [UInt8] {
        try encode { AgentFrame.write(outcomeJSON: outcomeJSON, to: &$0) }
    }

    private static func encode(_ write: (inout JSONWriter) throws -> Void) throws -> [UInt8] {
        // The length takes the place of the zeros when it is known.
        var bytes = try FastJSON.bytes(after: [0, 0, 0, 0], write)
        let length = bytes.count - 4
        guard length <= maximumBytes else { throw FrameError.oversized(bytes: length) }
        withUnsafeBytes(of: UInt32(length).bigEndian) { bytes.replaceSubrange(..<4, with: $0) }
        return bytes
    }

    /// - Throws: a ``FrameError``.
    package static func decode<Frame: FastJSONDecodable>(
        _ type: Frame.Type, from body: ArraySlice<UInt8>
    ) throws -> Frame {
        do {
            return try body.withUnsafeBufferPointer { try FastJSON.value(from: $0) }
        } catch {
            throw FrameError.garbled(String(decoding: body.prefix(Self.shownBytes), as: UTF8.self), reason: "\(error)")
        }
    }
}

/// A frame that cannot be accepted. Its connection is closed; others continue.
package enum FrameError: Error, Hashable, CustomStringConvertible {
    case oversized(bytes: Int)
    case garbled(String, reason: String)

    package var description: String {
        switch self {
        case .oversized(let bytes):
            "a frame of \(bytes) bytes is over the limit of \(FrameCodec.maximumBytes) bytes"
        case .garbled(let start, let reason):
            "a frame beginning with \"\(start)\" could not be read: \(reason)"
        }
    }
}

extension FrameError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
