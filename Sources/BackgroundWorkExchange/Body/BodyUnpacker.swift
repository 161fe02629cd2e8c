import CBackgroundWorkZlib

/// Decompresses a response's body that the server has compressed without being asked, and detects whether its end was
/// received. libcurl can decompress as well, but accepts a truncated compressed body as complete.
package final class BodyUnpacker {
    /// What is wrong with a body.
    package enum Fault: Error, Hashable {
        /// The content coding's name.
        case unknownCoding(String)
        case damaged
        /// There is data after the end of the compressed body.
        case excess
        /// Decompression is not available on this machine.
        case unavailable(String)
    }

    private static let outputBytes = 64 << 10

    private let isGzip: Bool
    private var inflater: OpaquePointer?
    /// The piece that is being decompressed.
    private var input: [UInt8] = []
    private var used = 0
    private var isHolding = false
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: outputBytes, alignment: 16)
    /// Bytes that are decompressed but not taken yet.
    private var pending = 0
    package private(set) var isComplete = false

    /// - Parameter coding: the value of `Content-Encoding`, in lower case.
    package init(coding: String) throws(Fault) {
        switch coding {
        case "gzip", "x-gzip": isGzip = true
        case "deflate": isGzip = false
        default: throw .unknownCoding(coding)
        }
    }

    deinit {
        bgw_inflater_free(inflater)
        output.deallocate()
    }

    /// Decompresses a piece and passes on its content. When the receiver answers to wait or to break off, the rest is
    /// kept: the next call continues with it, whatever piece it is given.
    package func unpack(
        _ packed: UnsafeRawBufferPointer, take: (UnsafeRawBufferPointer) -> BodyAnswer
    ) throws(Fault) -> BodyAnswer {
        if !isHolding {
            (input, used, isHolding) = (Array(packed), 0, true)
        }
        while true {
            if pending > 0 {
                let answer = take(UnsafeRawBufferPointer(rebasing: output[..<pending]))
                guard case .taken = answer else { return answer }
                pending = 0
            }
            if isComplete, used < input.count { try beginNext() }
            guard try step() else { break }
        }
        isHolding = false
        return .taken
    }

    /// Whether there was progress.
    private func step() throws(Fault) -> Bool {
        if isComplete { return false }
        let inflater = try begun()
        var (consumed, produced) = (input.count - used, output.count)
        let answer = input.withUnsafeBufferPointer {
            bgw_inflater_run(
                inflater, $0.baseAddress.map { $0 + used }, &consumed,
                output.baseAddress?.assumingMemoryBound(to: UInt8.self), &produced)
        }
        if answer < 0 { throw .damaged }
        used += consumed
        pending = produced
        isComplete = answer == 1
        return consumed > 0 || produced > 0
    }

    private func begun() throws(Fault) -> OpaquePointer {
        if let inflater { return inflater }
        var error: UnsafePointer<CChar>?
        guard let made = bgw_inflater_begin(packing, &error) else {
            throw .unavailable(error.map { String(cString: $0) } ?? "")
        }
        inflater = made
        return made
    }

    /// By "deflate" HTTP means zlib's format (RFC 9110, section 8.4.1.2); some servers send it without header and
    /// trailer. The first byte shows which (RFC 1950, section 2.2).
    private var packing: bgw_packing {
        if isGzip { return BGW_PACKED_GZIP }
        let first = input.first ?? 0
        return first & 0x0f == 8 && first >> 4 <= 7 ? BGW_PACKED_ZLIB : BGW_PACKED_RAW
    }

    /// A gzip body may have several members, one after the other (RFC 1952, section 2.2).
    private func beginNext() throws(Fault) {
        guard isGzip, input[used] == 0x1f, let inflater else { throw .excess }
        guard bgw_inflater_reset(inflater) == 0 else { throw .damaged }
        isComplete = false
    }
}
