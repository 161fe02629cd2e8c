/// The system's promise not to suspend the process, and its word that it will.
package protocol ExpiringActivities: Sendable {
    /// Calls the block with false, on a thread of its own, once the process is kept from being suspended, which it is
    /// until the block returns. Calls it with true, also while the first call goes on, when the process is about to be
    /// suspended, and instead of the first call when it cannot be kept from that.
    func perform(_ block: @escaping @Sendable (_ isExpired: Bool) -> Void)
    /// Whether the app has gone to the background, at each change; empty where that is not known.
    var backgroundChanges: AsyncStream<Bool> { get }
}
