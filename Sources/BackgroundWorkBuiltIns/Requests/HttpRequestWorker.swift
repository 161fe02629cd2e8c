import BackgroundWorkFoundation
import BackgroundWorkHTTP
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Sends one HTTP request, and succeeds when the server answers with a status of 2xx.
///
/// ```swift
/// let order = HttpRequestWorker.Input(url: "https://example.com/orders/5", method: "PUT", body: #"{"count":1}"#)
/// try await scheduler.enqueue(TaskRequest(HttpRequestWorker.self, input: order), id: "order-5")
/// ```
///
/// It is registered in every `WorkerRegistry`. The statuses 408, 429 and 5xx, network errors and a lack of time are
/// retried under the request's ``RetryPolicy``, not before the server's `Retry-After`; other statuses fail it. Work that
/// was interrupted sends its request again. Docs/workers.md has the rules of the input.
public struct HttpRequestWorker: BuiltInWorker {
    /// The name that requests use.
    public static let name = "HttpRequestWorker"
    /// The ancestor's name for it.
    public static let aliases = [BuiltInWorkers.ancestorName(of: name)]
    private static let methods = ["GET", "POST", "PUT", "DELETE", "PATCH"]

    private let services: BuiltInServices

    package init(_ services: BuiltInServices) { self.services = services }

    /// Refuses an input that breaks a rule, with the field's name.
    public static func validate(input: Input, under policy: SecurityPolicy) throws { _ = try method(of: input, policy) }

    /// The method in capitals.
    private static func method(of input: Input, _ policy: SecurityPolicy) throws -> String {
        try TransferInputRules(worker: name, securityPolicy: policy).method(
            input.method, allowed: methods, to: input.url, body: ("body", input.body != nil), input.response,
            input.options)
    }

    /// Sends the request. The scheduler calls it.
    public func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
        let requests = WorkerRequests(for: input.url, input.options, timeout: .seconds(30), services)
        let request = requests.request(
            input.url, method: try Self.method(of: input, services.securityPolicy),
            body: input.body.map { .bytes(Data($0.utf8)) })
        return try await requests.result(of: request, input.response, context) { head, body in
            Output(
                statusCode: head.status, method: request.method, url: ShownURL.text(head.url), responseBody: body)
        }
    }
}
