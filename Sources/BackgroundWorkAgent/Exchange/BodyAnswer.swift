/// What libcurl is told of a piece of a body.
enum BodyAnswer {
    case taken
    /// Keep the piece, and hand it over again when the exchange goes on.
    case wait
    /// End the exchange.
    case breakOff
}

/// What libcurl is told when it asks for the next bytes of a request's body.
enum BodySupply: Equatable {
    /// So many were put into its space; 0 at the body's end.
    case bytes(Int)
    /// Ask again when the exchange goes on.
    case wait
    /// End the exchange.
    case breakOff
}
