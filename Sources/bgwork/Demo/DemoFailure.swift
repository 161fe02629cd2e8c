/// The demo could not go on.
struct DemoFailure: Error, CustomStringConvertible {
    var description: String
}
