/// Carries requests on a platform.
protocol HTTPBackend: Sendable {
    /// Whether it can keep to a limit of bytes a second.
    static var limitsSpeed: Bool { get }

    init(_ configuration: HTTPTransport.Configuration)

    /// Starts a call, or queues it. Returns at once; the call is told of what happens.
    func begin(_ call: HTTPCall)

    /// Cancels all calls, now and later.
    func close()
}
