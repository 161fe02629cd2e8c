/// One request and its answer, on the thread of its connection.
struct Exchange {
    let socket: ConnectionSocket
    let state: ServerState
    let head: RequestHead
    let body: RequestBody
    let behaviour: Behaviour
    /// The request's index in the log.
    let log: Int

    var path: String { head.path }

    /// Processes the request, as far as the behaviour allows.
    func run() -> ConnectionFate {
        if behaviour.isSilent {
            socket.discardUntilEnd()
            return .closes
        }
        if let resource = behaviour.replacement { state.routes.serve(resource, at: path) }
        if let (endpoint, upload) = state.routes.tus(at: path) {
            return TusExchange(exchange: self, endpoint: endpoint, upload: upload).run()
        }
        if let priorityGroup = state.routes.uploads(at: path), head.method == "PUT" || head.method == "POST" {
            return receiveUpload(to: priorityGroup)
        }
        return conclude(receiveBody()) { wanted }
    }

    /// Rejects a request for its credentials.
    func refuse(_ challenge: HeaderField) -> ConnectionFate {
        let answer = Answer.text(401, "credentials are needed", [challenge])
        // The client that waits for 100 Continue may send its body or not, so the connection has to end.
        return head.waitsForContinue ? sendLast(answer) : conclude(receiveBody()) { answer }
    }

    /// The answer that the behaviour prescribes, whatever was requested.
    var prescribed: Answer? {
        if let target = behaviour.redirectTarget {
            return .text(behaviour.status ?? 302, "moved", [HeaderField("Location", target)])
        }
        if let status = behaviour.rangeStatus, head.headers["range"] != nil { return .text(status, "no ranges") }
        guard behaviour.status != nil || behaviour.body != nil else { return nil }
        let status = behaviour.status ?? 200
        // These statuses have no body, whatever the test sets.
        if status == 204 || status == 304 { return .bare(status) }
        return .bytes(status, behaviour.body ?? Array("as the test wants it\n".utf8))
    }

    private var wanted: Answer {
        if let desk = state.routes.tokens(at: path) {
            let issued = desk.issue()
            if let token = issued.accepted { state.routes.acceptOnly(token) }
            return .bytes(200, Array(issued.text.utf8), contentType: "application/json")
        }
        guard head.method == "GET" || head.method == "HEAD" else { return .text(405, "GET and HEAD only") }
        guard let resource = state.routes.resource(at: path), let answer = Answer(resource, for: head, behaviour) else {
            return .text(404, "nothing is served here")
        }
        return answer
    }

    /// Blocks until more than this many bytes of a body may pass, and returns how many; `nil` when the connection
    /// ends first.
    func waitForRelease(after bytes: Int64) -> Int64? {
        while true {
            switch state.script.passage(for: path, after: bytes) {
            case .open(let limit): return limit
            case .broken: return nil
            case .held(let gate):
                guard socket.wait(for: gate) else { return nil }
                // By the gate's own value, since the behaviours may have been set again meanwhile.
                if gate.openFor > bytes { return gate.openFor }
            }
        }
    }
}

/// What happens to a connection after a request.
enum ConnectionFate {
    /// It may carry another request.
    case continues
    /// It is closed; everything that the client sent has been read.
    case closes
    /// It is closed for writing, and what still arrives is discarded, so that the client can read the answer: a close
    /// with unread bytes would reset the connection.
    case lingers
    /// It is reset.
    case resets
}
