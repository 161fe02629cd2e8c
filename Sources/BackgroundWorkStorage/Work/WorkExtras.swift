import BackgroundWorkModel

/// Options that few requests set, as one JSON text in the request's row.
struct WorkExtras: Sendable, Hashable {
    var options = WorkOptions()
    /// `nil` for the default one.
    var retryPolicy: RetryPolicy?
    /// `nil` for work that runs once, after a delay.
    var trigger: TaskTrigger?
    /// The planned time of the first occurrence.
    var planned: WallTime?
    /// `nil` for one that the row's flags tell.
    var securityPolicy: SecurityPolicy?

    static let usualRetryPolicy = RetryPolicy.exponential()

    init(
        _ request: TaskRequest, trigger: TaskTrigger, occurrence: Occurrence, securityPolicy: SecurityPolicy
    ) {
        options = WorkOptions(request, latest: occurrence.latest)
        if request.retryPolicy != Self.usualRetryPolicy { retryPolicy = request.retryPolicy }
        if securityPolicy.name == nil { self.securityPolicy = securityPolicy }
        if case .oneTime = trigger { return }
        self.trigger = trigger
        planned = occurrence.planned
    }

    init() {}

    /// `nil` when there is nothing to store.
    var stored: String? {
        get throws {
            if options.isEmpty, retryPolicy == nil, trigger == nil, securityPolicy == nil { return nil }
            return try FastJSON.text(capacity: 128) { try write(to: &$0) }
        }
    }

    /// Reads what ``stored`` has written.
    init(stored: UnsafeBufferPointer<UInt8>) throws { try read(JSONObject(stored)) }
}

// By hand, because each request with a tag has them. There is no earlier form that a decoder would have to read.
extension WorkExtras {
    private mutating func read(_ json: JSONObject) throws {
        if let tags = try json.optionalObject("tags") { options.tags = Set(try tags.strings().keys) }
        options.metadata = try json.optionalObject("metadata")?.strings()
        options.timeoutMs = try json.optionalInteger("timeoutMs")
        options.deadline = try json.optionalInteger("deadline").map(WallTime.init(milliseconds:))
        options.delayMs = try json.optionalInteger("delayMs")
        options.latest = try json.optionalInteger("latest").map(WallTime.init(milliseconds:))
        if try json.optionalObject("policy") != nil {
            securityPolicy = try Self.lastPolicy.value(from: json.raw("policy"))
        }
        guard try json.optionalObject("more") != nil else { return }
        let more = try JSONCoding.value(Rare.self, from: json.raw("more"))
        options.inputMerge = more.inputMerge
        retryPolicy = more.retryPolicy
        trigger = more.trigger
        planned = more.planned
    }

    private func write(to json: inout JSONWriter) throws {
        json.open()
        if let tags = options.tags {
            json.begin("tags")
            json.strings(Dictionary(uniqueKeysWithValues: tags.map { ($0, "") }))
        }
        if let metadata = options.metadata {
            json.begin("metadata")
            json.strings(metadata)
        }
        if let timeout = options.timeoutMs { json.member("timeoutMs", timeout) }
        if let deadline = options.deadline { json.member("deadline", deadline.milliseconds) }
        if let delay = options.delayMs { json.member("delayMs", delay) }
        if let latest = options.latest { json.member("latest", latest.milliseconds) }
        if let securityPolicy {
            json.begin("policy")
            json.raw(try Self.lastText.text(of: securityPolicy))
        }
        let more = Rare(
            inputMerge: options.inputMerge, retryPolicy: retryPolicy, trigger: trigger, planned: planned)
        if more != Rare() { try json.member("more", encoding: more) }
        json.close()
    }

    /// The options that Foundation's coders handle.
    private struct Rare: Codable, Hashable {
        var inputMerge: InputMerge?
        var retryPolicy: RetryPolicy?
        var trigger: TaskTrigger?
        var planned: WallTime?
    }

    /// All items of a scheduler have the same.
    private static let lastPolicy = LastDecoded<SecurityPolicy>()
    private static let lastText = LastEncoded<SecurityPolicy>()
}
