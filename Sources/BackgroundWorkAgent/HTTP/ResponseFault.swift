/// Why a response is no file.
enum ResponseFault: Sendable, Hashable {
    /// A status other than 200 and 206.
    case status
    /// A partial answer that was not asked for, or not the part that was.
    case wrongRange
    /// Its head does not say how long the body is, or says it in two ways.
    case invalidLength
}
