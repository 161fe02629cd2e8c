/// How a resource is sent.
extension Behaviour {
    /// Sends the body at this speed.
    public static func throttle(bytesPerSecond: Int) -> Behaviour { with { $0.bytesPerSecond = bytesPerSecond } }

    /// Sends the body byte by byte, at this speed.
    public static func trickle(bytesPerSecond: Int) -> Behaviour {
        with { behaviour in
            behaviour.bytesPerSecond = bytesPerSecond
            behaviour.pieceBytes = 1
        }
    }

    /// Closes in the middle of the body.
    public static func closeAfter(bytes: Int64) -> Behaviour { with { $0.closesAfter = bytes } }

    /// Resets the connection in the middle of the body, after the client's system has received the bytes before.
    public static func resetAfter(bytes: Int64) -> Behaviour {
        with { behaviour in
            behaviour.closesAfter = bytes
            behaviour.resets = true
        }
    }

    /// Closes after a whole answer, without announcing it, as servers do when their keep-alive time is over.
    public static let closeAfterAnswer = with { $0.closesAfterAnswer = true }

    /// Stops in the middle of the body until released, see ``LocalHTTPServer/release(_:upTo:)``.
    public static func holdAfter(bytes: Int64) -> Behaviour { with { $0.holdsAfter = bytes } }

    /// Announces more bytes than it sends; or fewer, if the number is negative.
    public static func promise(extraBytes: Int64) -> Behaviour { with { $0.promisedExtraBytes = extraBytes } }

    /// Sends no length.
    public static let withoutLength = with { $0.hidesLength = true }

    /// Sends the body in chunks, and no length.
    public static let chunked = with { $0.isChunked = true }

    /// Compresses the body although the client did not request it.
    public static let compressed = with { $0.isCompressed = true }

    /// Answers range requests with 200 and the whole resource.
    public static let ignoreRanges = with { $0.ignoresRanges = true }

    /// Answers range requests with this status, whatever they ask for.
    public static func refuseRanges(status: Int) -> Behaviour { with { $0.rangeStatus = status } }

    /// States something false about the range that it sends.
    public static func contentRange(_ lie: ContentRangeLie) -> Behaviour { with { $0.contentRange = lie } }

    /// Serves another resource at the path from this request on: the entity has changed.
    public static func replace(with resource: Resource) -> Behaviour { with { $0.replacement = resource } }
}

/// How the body of a request is received.
extension Behaviour {
    /// Receives this many bytes of the body, answers with a status and ends the connection.
    public static func refuseUpload(after bytes: Int64, status: Int = 413) -> Behaviour {
        with { behaviour in
            behaviour.receivesAtMost = bytes
            behaviour.status = status
        }
    }

    /// Receives this many bytes of the body and ends the connection. What arrived is kept.
    public static func closeUpload(after bytes: Int64) -> Behaviour { with { $0.receivesAtMost = bytes } }

    /// Receives this many bytes of the body and resets the connection. What arrived is kept.
    public static func resetUpload(after bytes: Int64) -> Behaviour {
        with { behaviour in
            behaviour.receivesAtMost = bytes
            behaviour.resets = true
        }
    }

    /// Receives this many bytes of the body and no more until released, see ``LocalHTTPServer/release(_:upTo:)``.
    public static func holdUpload(after bytes: Int64) -> Behaviour { with { $0.holdsUploadAfter = bytes } }

    /// Does not answer clients that wait for `100 Continue` before they send.
    public static let ignoreExpectation = with { $0.ignoresExpectation = true }
}
