/// The answer to libcurl for a piece of a body.
package enum BodyAnswer {
    case taken
    /// Keep the piece, and pass it again when the exchange continues.
    case wait
    /// End the exchange.
    case breakOff
}

/// The answer to libcurl when it asks for the next bytes of a request's body.
package enum BodySupply: Equatable {
    /// The number of bytes copied into its buffer; 0 at the body's end.
    case bytes(Int)
    /// Ask again when the exchange continues.
    case wait
    /// End the exchange.
    case breakOff
}
