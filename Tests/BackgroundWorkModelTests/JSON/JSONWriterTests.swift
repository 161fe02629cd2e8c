import BackgroundWorkModel
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
    @Test(
        "integers are written as Swift writes them",
        arguments: [0, 1, -1, 9, 10, -10, 99, 100, 1_000_000_007, .max, .min, .max - 1, .min + 1] as [Int64])
    func integers(number: Int64) {
        var json = JSONWriter()
        json.integer(number)
        #expect(String(decoding: json.bytes, as: UTF8.self) == "\(number)")
    }

    @Test("the largest unsigned integer is written in full")
    func largest() {
        var json = JSONWriter()
        json.open()
        json.member("n", UInt64.max)
        json.close()
        #expect(String(decoding: json.bytes, as: UTF8.self) == "{\"n\":18446744073709551615}")
    }
}
