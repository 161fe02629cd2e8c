/// What libcurl is told of a piece of a body.
enum BodyAnswer {
    case taken
    /// Keep the piece, and hand it over again when the exchange goes on.
    case wait
    /// End the exchange.
    case breakOff
}
