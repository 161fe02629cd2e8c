import BackgroundWorkTransfers
import Testing

@Suite("Bytes as people read them")
struct QuantityTests {
    @Test(
        "bytes are told in decimal units, cut to one digit",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_999, "999.9 kB"), (12_345_678, "12.3 MB"),
            (50_000_000_000, "50.0 GB"), (-5, "0 B"), (Int64.max, "9223372.0 TB"),
        ] as [(Int64, String)])
    func bytes(bytes: Int64, text: String) { #expect(Quantity.text(bytes) == text) }

    @Test("a part is given in the unit of the whole")
    func part() {
        #expect(Quantity.text(300_000, of: 50_000_000) == "0.3/50.0 MB")
        #expect(Quantity.text(300_000, of: 50_000_000, separator: " of ") == "0.3 of 50.0 MB")
        #expect(Quantity.text(300_000, of: nil) == "300.0 kB")
        #expect(Quantity.percent(0.9999) == "99%")
        #expect(Quantity.percent(nil).isEmpty)
        #expect(Quantity.rate(nil).isEmpty)
        #expect(Quantity.rate(3_100_000) == "3.1 MB/s")
    }
}
