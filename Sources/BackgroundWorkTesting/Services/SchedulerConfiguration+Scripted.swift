import BackgroundWork

extension WorkScheduler.Configuration {
    /// A scripted daemon in place of the platform's; `nil` for the platform's.
    public var scriptedTransfers: ScriptedTransferService? {
        get { transferService as? ScriptedTransferService }
        set { transferService = newValue }
    }
}
