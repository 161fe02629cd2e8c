/// Runs one body at a time; a call during a run causes one more run after it.
package actor CoalescingGate {
    private var isRunning = false
    private var isWanted = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    package func run(_ body: @Sendable () async -> Void) async {
        isWanted = true
        guard !isRunning else { return }
        isRunning = true
        while isWanted {
            isWanted = false
            await body()
        }
        isRunning = false
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// As ``run(_:)``, but returns only when a body that began after the call has ended.
    package func runToEnd(_ body: @Sendable () async -> Void) async {
        while isRunning { await withCheckedContinuation { waiting.append($0) } }
        await run(body)
    }
}
