/// A worker's input that can always be written as JSON, so that requests with it are created without `try`.
///
/// The configurations of the built-in workers are such inputs. One of your own may be, if it writes its text itself; any
/// other `Codable` type will do as an input as well.
public protocol WorkerInput: Codable, Sendable {
    /// The value as one JSON document, which its `init(from:)` reads back. It stands where JSON text is taken, such as
    /// in ``TaskRequest/inputJSON``.
    var inputJSON: String { get }
}
