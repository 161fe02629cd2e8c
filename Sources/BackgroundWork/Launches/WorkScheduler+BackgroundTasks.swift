extension WorkScheduler {
    /// Registers the handlers by which iOS, tvOS, visionOS and Mac Catalyst launch the app for due work. Without this
    /// call nothing is requested of the system. On other systems it does nothing.
    ///
    /// Call it before the app has finished launching, in `application(_:didFinishLaunchingWithOptions:)` or in the
    /// initializer of a SwiftUI app, and not in an extension. Only the first call for an identifier has an effect.
    /// What Info.plist needs is in Docs/scheduling.md.
    /// - Parameter identifier: ``Configuration/backgroundTaskIdentifier`` of the schedulers; `nil`: its default.
    @MainActor
    public static func registerBackgroundTasks(identifier: String? = nil) {
        guard let launches = PlatformServices.launches else { return }
        launches.dispatch.register(
            prefix: identifier ?? PlatformServices.backgroundTaskIdentifier, with: launches.scheduler)
    }
}
