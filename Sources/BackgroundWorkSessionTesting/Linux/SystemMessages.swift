import BackgroundWorkURLSession

/// From an app to the simulated system.
enum SystemRequest: Codable, Sendable {
    case hello(process: Int32)
    /// The app has a handler for an identifier.
    case register(identifier: String)
    case submit(call: Int64, request: SimulatedSystem.PendingLaunch)
    case cancel(identifier: String)
    case completed(window: Int64, success: Bool)
    case beginActivity(Int64)
    case activityEnded(Int64)
}

/// From the simulated system to an app.
enum SystemMessage: Codable, Sendable {
    /// The answer to hello: Info.plist's identifiers.
    case permitted([String])
    case submitted(call: Int64, refusal: SimulatedSystem.Refusal?)
    case run(window: Int64, identifier: String, seconds: Double?)
    case expire(window: Int64)
    case background(Bool)
    case activityGranted(Int64)
    case activityExpired(Int64)
}
