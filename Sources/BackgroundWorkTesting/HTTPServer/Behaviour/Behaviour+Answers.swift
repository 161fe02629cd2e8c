import BackgroundWorkFoundation

/// Answers other than the resource, and changed heads of answers.
extension Behaviour {
    /// Answers with a status and a short text.
    public static func status(_ code: Int) -> Behaviour { with { $0.status = code } }

    /// Answers with a status and a `Retry-After`.
    public static func status(_ code: Int, retryAfter: RetryAfter) -> Behaviour {
        with { behaviour in
            behaviour.status = code
            behaviour.headers = [HeaderField("Retry-After", retryAfter.text)]
        }
    }

    /// Answers with a status and a body. A request's body is received and kept before that as usual.
    public static func answer(_ code: Int = 200, contentType: String = "text/plain", body: String) -> Behaviour {
        with { behaviour in
            behaviour.status = code
            behaviour.body = Array(body.utf8)
            behaviour.headers = [HeaderField("Content-Type", contentType)]
        }
    }

    /// Answers 200 with a page of HTML, as captive portals and expired log-ins do.
    public static let errorPage = answer(
        contentType: "text/html; charset=utf-8", body: "<!DOCTYPE html><title>Sign in</title><p>Please sign in.</p>\n")

    /// Redirects, with 302 or another status. The URL may be relative, or of another server.
    public static func redirect(to url: String, status: Int = 302) -> Behaviour {
        with { behaviour in
            behaviour.redirectTarget = url
            behaviour.status = status
        }
    }

    /// Never answers.
    public static let silence = with { $0.isSilent = true }

    /// Processes the request, and ends the connection without an answer: what was uploaded is kept.
    public static let loseAnswer = with { $0.losesAnswer = true }

    /// Also sends these header fields; they replace those of the same name.
    public static func headers(_ fields: [HeaderField]) -> Behaviour { with { $0.headers = fields } }

    /// Sends a header field of this many bytes.
    public static func largeHeader(bytes: Int) -> Behaviour {
        headers([HeaderField("X-Large", String(repeating: "x", count: bytes))])
    }

    /// Sends this many additional header fields.
    public static func manyHeaders(_ count: Int) -> Behaviour {
        headers((0..<count).map { HeaderField("X-Field-\($0)", "\($0)") })
    }

    /// Omits header fields, for instance `"Accept-Ranges"` or `"ETag"`.
    public static func hide(_ names: String...) -> Behaviour { with { $0.hiddenHeaders = Set(names) } }

    /// Sends this line unchanged as the status line.
    public static func statusLine(_ line: String) -> Behaviour { with { $0.statusLine = line } }
}

/// When a client may try again, in the two forms that `Retry-After` has.
public enum RetryAfter: Sendable, Hashable {
    /// After this many seconds.
    case seconds(Int)
    /// At this time, which is sent in whole seconds.
    case date(Date)

    var text: String {
        switch self {
        case .seconds(let seconds): "\(seconds)"
        case .date(let date): HTTPDate.text(date)
        }
    }
}
