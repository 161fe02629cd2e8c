import BackgroundWorkTransfers
import Testing

@Suite("The progress of a transfer and its remaining time")
struct TransferPaceTests {
    @Test(
        "the fraction is unknown with the whole, and never outside of 0 to 1",
        arguments: [
            (0, nil, nil), (5, nil, nil), (0, 10, 0), (5, 10, 0.5), (10, 10, 1), (11, 10, 1), (-1, 10, 0), (0, 0, 1),
        ] as [(Int64, Int64?, Double?)])
    func fraction(bytes: Int64, total: Int64?, expected: Double?) {
        #expect(TransferPace.fraction(bytes, of: total) == expected)
    }

    @Test(
        "the time left is unknown with the whole, and while nothing moves",
        arguments: [
            (5, nil, 5, nil), (5, 10, nil, nil), (5, 10, 0, nil), (5, 10, 5, .seconds(1)), (5, 10, 10, .seconds(0.5)),
            (10, 10, 5, .zero), (11, 10, 5, .zero),
        ] as [(Int64, Int64?, Int64?, Duration?)])
    func timeLeft(bytes: Int64, total: Int64?, rate: Int64?, expected: Duration?) {
        #expect(TransferPace.timeLeft(bytes, of: total, bytesPerSecond: rate) == expected)
    }
}
