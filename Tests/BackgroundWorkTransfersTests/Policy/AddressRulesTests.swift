import Testing

@testable import BackgroundWorkTransfers

struct AddressRulesTests {
    static func ipv6(_ words: [UInt16]) -> [UInt8] { words.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] } }

    @Test(
        "special IPv4 addresses are not public, their neighbors are",
        arguments: [
            ([0, 0, 0, 0], false), ([10, 1, 2, 3], false), ([100, 64, 0, 1], false), ([100, 128, 0, 1], true),
            ([127, 0, 0, 1], false), ([128, 0, 0, 1], true), ([169, 254, 169, 254], false), ([172, 15, 0, 1], true),
            ([172, 16, 0, 1], false), ([172, 31, 255, 255], false), ([172, 32, 0, 1], true), ([192, 0, 2, 1], false),
            ([192, 168, 1, 1], false), ([192, 169, 1, 1], true), ([198, 18, 0, 1], false), ([198, 20, 0, 1], true),
            ([203, 0, 113, 9], false), ([224, 0, 0, 1], false), ([255, 255, 255, 255], false), ([8, 8, 8, 8], true),
            ([168, 63, 129, 16], false), ([168, 63, 129, 17], true),
        ] as [([UInt8], Bool)])
    func ipv4(bytes: [UInt8], isPublic: Bool) {
        #expect(AddressRules.isPublic(ipv4: bytes) == isPublic)
        // The same address in its IPv6 disguises.
        let (high, low) = (UInt16(bytes[0]) << 8 | UInt16(bytes[1]), UInt16(bytes[2]) << 8 | UInt16(bytes[3]))
        for words: [UInt16] in [
            [0, 0, 0, 0, 0, 0xffff, high, low], [0x64, 0xff9b, 0, 0, 0, 0, high, low],
            [0x2002, high, low, 0, 0, 0, 0, 1],
        ] {
            #expect(AddressRules.isPublic(ipv6: Self.ipv6(words)) == isPublic)
        }
    }

    @Test(
        "special IPv6 addresses are not public",
        arguments: [
            ([0, 0, 0, 0, 0, 0, 0, 0], false), ([0, 0, 0, 0, 0, 0, 0, 1], false),
            ([0xfe80, 0, 0, 0, 0, 0, 0, 1], false),
            ([0xfc00, 0, 0, 0, 0, 0, 0, 1], false), ([0xfd12, 0, 0, 0, 0, 0, 0, 1], false),
            ([0xff02, 0, 0, 0, 0, 0, 0, 1], false), ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 1], false),
            ([0x2001, 0, 0, 0, 0, 0, 0, 1], false), ([0x64, 0xff9b, 1, 0, 0, 0, 0x808, 0x808], false),
            ([0x2606, 0x4700, 0, 0, 0, 0, 0, 0x1111], true), ([0x2a00, 0x1450, 0, 0, 0, 0, 0, 1], true),
        ] as [([UInt16], Bool)])
    func ipv6Addresses(words: [UInt16], isPublic: Bool) {
        #expect(AddressRules.isPublic(ipv6: Self.ipv6(words)) == isPublic)
    }

    @Test("text that is not an address is not public")
    func malformed() {
        #expect(!AddressRules.isPublic(ipv4: [8, 8, 8]))
        #expect(!AddressRules.isPublic(ipv6: [8, 8, 8, 8]))
    }
}
