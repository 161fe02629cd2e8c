/// What becomes of a connection after a request.
enum ConnectionFate {
    /// It may carry another request.
    case goesOn
    /// It is closed; everything that the client sent has been read.
    case closes
    /// It is closed for writing, and what still arrives is thrown away, so that the client can read the answer: a
    /// close with unread bytes would reset the connection.
    case lingers
    /// It is reset.
    case resets
}
