import BackgroundWorkModel
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
    @Test(
        "integers are written as Swift writes them",
        arguments: [0, 1, -1, 9, 10, -10, 99, 100, 1_000_000_007, .max, .min, .max - 1, .min + 1] as [Int64])
    func integers(number: Int64) {
        #expect(FastJSON.text { $0.integer(number) } == "\(number)")
    }

    @Test("the largest unsigned integer is written in full")
    func largest() {
        let text = FastJSON.text { json in
            json.open()
            json.member("n", UInt64.max)
            json.close()
        }
        #expect(text == #"{"n":18446744073709551615}"#)
    }
}
