/// What came of an acknowledgement.
enum Acknowledgement: Sendable, Hashable {
    case forgotten(task: Int64)
    case unknown
    case notFinished
}
