extension PlatformDeviceState {
    /// - Parameter directory: the folder whose volume `storageNotLow` is about.
    static func sources(directory: String) -> [any ConditionSource] {
        [
            NetworkCondition(), MeteringCondition(), PowerCondition(), StorageCondition(directory: directory),
            IdleCondition(),
        ]
    }
}
