import Foundation
import Testing

@testable import BackgroundWorkExchange

struct BodyUnpackerTests {
    /// "hello" 4,000 times, a line each.
    private static let content = Array(String(repeating: "hello\n", count: 4000).utf8)

    enum Form: String, CaseIterable {
        case gzip, zlib, raw

        var coding: String { self == .gzip ? "gzip" : "deflate" }

        var packed: [UInt8] {
            let text =
                switch self {
                case .gzip:
                    "H4sIAAAAAAACA+3EoQ0AAAgDMM+fJIgl/O84hFZ0Otka27Zt27Zt27Zt27Zt27Zt27Zt27Zt27Zt27Zt27Zt27Zt237/AeWpUo"
                        + "vAXQAA"
                case .zlib:
                    "eNrtxKENAAAIAzDPnySIJfzvOIRWdDrZGtu2bdu2bdu2bdu2bdu2bdu2bdu2bdu2bdu2bdu2bdu2bdt+/wHgyxaw"
                case .raw: "7cShDQAACAMwz58kiCX87ziEVnQ62Rrbtm3btm3btm3btm3btm3btm3btm3btm3btm3btm3btm3bfv8B"
                }
            return Array(Data(base64Encoded: text) ?? Data())
        }
    }

    /// Decompresses pieces of so many bytes; each piece is rejected a few times before it is accepted.
    private func unpack(
        _ packed: [UInt8], _ unpacker: BodyUnpacker, pieces: Int, refusals: Int = 0
    ) throws(BodyUnpacker.Fault) -> [UInt8] {
        var found: [UInt8] = []
        var refused = 0
        for start in stride(from: 0, to: packed.count, by: pieces) {
            let piece = Array(packed[start..<min(start + pieces, packed.count)])
            var isTaken = false
            while !isTaken {
                // Elsewhere each time, as with libcurl.
                let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
                defer { copy.deallocate() }
                copy.copyBytes(from: piece)
                let answer = try unpacker.unpack(UnsafeRawBufferPointer(copy)) { bytes in
                    if refused < refusals {
                        refused += 1
                        return .wait
                    }
                    refused = 0
                    found += bytes
                    return .taken
                }
                if case .taken = answer { isTaken = true }
            }
        }
        return found
    }

    @Test("a compressed body is decompressed in pieces of any size, and its end is detected", arguments: Form.allCases)
    func whole(form: Form) throws {
        for pieces in [1, 2, 7, 1000] {
            for refusals in [0, 3] {
                let unpacker = try BodyUnpacker(coding: form.coding)
                #expect(try unpack(form.packed, unpacker, pieces: pieces, refusals: refusals) == Self.content)
                #expect(unpacker.isComplete)
            }
        }
    }

    @Test("a truncated compressed body is not complete", arguments: Form.allCases)
    func cut(form: Form) throws {
        for count in 1..<form.packed.count {
            let unpacker = try BodyUnpacker(coding: form.coding)
            _ = try unpack(Array(form.packed[..<count]), unpacker, pieces: 16)
            #expect(!unpacker.isComplete, "\(count)")
        }
    }

    @Test("several members of gzip are one body")
    func members() throws {
        for pieces in [1, 78, 1000] {
            let unpacker = try BodyUnpacker(coding: "x-gzip")
            let found = try unpack(Form.gzip.packed + Form.gzip.packed, unpacker, pieces: pieces)
            #expect(found == Self.content + Self.content)
            #expect(unpacker.isComplete)
        }
    }

    @Test("other bytes after the end are an error", arguments: Form.allCases)
    func excess(form: Form) throws {
        let unpacker = try BodyUnpacker(coding: form.coding)
        #expect(throws: BodyUnpacker.Fault.excess) { try unpack(form.packed + [0], unpacker, pieces: 1000) }
    }

    @Test("damaged bytes are an error")
    func damaged() throws {
        var packed = Form.gzip.packed
        packed[packed.count - 6] ^= 1
        let unpacker = try BodyUnpacker(coding: "gzip")
        #expect(throws: BodyUnpacker.Fault.damaged) { try unpack(packed, unpacker, pieces: 1000) }
    }

    @Test("other codings are rejected", arguments: ["br", "zstd", "gzip, gzip", ""])
    func unknown(coding: String) {
        #expect(throws: BodyUnpacker.Fault.unknownCoding(coding)) { try BodyUnpacker(coding: coding) }
    }
}
