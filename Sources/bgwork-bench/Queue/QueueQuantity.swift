/// What a row shows: a figure of a series, or one by another of the same round.
indirect enum QueueQuantity: Sendable {
    case figure(String, of: String)
    case quotient(QueueQuantity, QueueQuantity)

    /// The series that it is made of.
    var series: Set<String> {
        switch self {
        case .figure(_, let series): [series]
        case .quotient(let dividend, let divisor): dividend.series.union(divisor.series)
        }
    }
}
