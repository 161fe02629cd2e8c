import BackgroundWorkFoundation
import BackgroundWorkHTTP
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Sends JSON to a server, and succeeds when it answers with a status of 2xx.
///
/// ```swift
/// var sync = HttpSyncWorker.Input(url: "https://example.com/steps")
/// try sync.setBody(["steps": 8000])
/// try await scheduler.enqueue(TaskRequest(HttpSyncWorker.self, input: sync), id: "steps")
/// ```
///
/// It is registered in every `WorkerRegistry`, and retries and fails as ``HttpRequestWorker`` does. The header
/// `Content-Type` is `application/json` unless the input has one. Docs/workers.md has the rules of the input.
public struct HttpSyncWorker: BuiltInWorker {
    /// The name that requests use.
    public static let name = "HttpSyncWorker"
    /// The ancestor's name for it.
    public static let aliases = [BuiltInWorkers.ancestorName(of: name)]
    private static let methods = ["GET", "POST", "PUT", "PATCH"]

    private let services: BuiltInServices

    package init(_ services: BuiltInServices) { self.services = services }

    /// Refuses an input that breaks a rule, with the field's name.
    public static func validate(input: Input, under policy: SecurityPolicy) throws { _ = try method(of: input, policy) }

    /// The method in capitals.
    private static func method(of input: Input, _ policy: SecurityPolicy) throws -> String {
        try TransferInputRules(worker: name, securityPolicy: policy).method(
            input.method, allowed: methods, to: input.url, body: ("requestBody", input.requestBody != nil),
            input.response,
            input.options)
    }

    /// Sends the request. The scheduler calls it.
    public func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
        let requests = WorkerRequests(for: input.url, input.options, timeout: .seconds(60), services)
        var request = requests.request(
            input.url, method: try Self.method(of: input, services.securityPolicy),
            body: input.bodyJSON.map { .bytes(Data($0.utf8)) })
        if request.body != nil, request.headers["Content-Type"] == nil {
            request.headers["Content-Type"] = "application/json"
        }
        return try await requests.result(of: request, input.response, context) { head, body in
            Output(url: ShownURL.text(head.url), status: head.status, responseBody: body)
        }
    }
}
