/// How the body of a request is received.
extension Behaviour {
    /// Receives so many bytes of the body, answers with a status and ends the connection.
    public static func refuseUpload(after bytes: Int64, status: Int = 413) -> Behaviour {
        with { behaviour in
            behaviour.receivesAtMost = bytes
            behaviour.status = status
        }
    }

    /// Receives so many bytes of the body and ends the connection. What arrived is kept.
    public static func closeUpload(after bytes: Int64) -> Behaviour { with { $0.receivesAtMost = bytes } }

    /// Receives so many bytes of the body and resets the connection. What arrived is kept.
    public static func resetUpload(after bytes: Int64) -> Behaviour {
        with { behaviour in
            behaviour.receivesAtMost = bytes
            behaviour.resets = true
        }
    }

    /// Receives so many bytes of the body and no more until released, see ``LocalHTTPServer/release(_:upTo:)``.
    public static func holdUpload(after bytes: Int64) -> Behaviour { with { $0.holdsUploadAfter = bytes } }

    /// Lets those wait that ask for `100 Continue` before they send.
    public static let ignoreExpectation = with { $0.ignoresExpectation = true }
}
