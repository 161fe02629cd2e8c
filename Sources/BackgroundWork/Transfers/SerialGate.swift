/// Runs one body at a time; a call that comes meanwhile makes it run once more afterwards.
actor SerialGate {
    private var isRunning = false
    private var isWanted = false

    func run(_ body: @Sendable () async -> Void) async {
        isWanted = true
        guard !isRunning else { return }
        isRunning = true
        while isWanted {
            isWanted = false
            await body()
        }
        isRunning = false
    }
}
