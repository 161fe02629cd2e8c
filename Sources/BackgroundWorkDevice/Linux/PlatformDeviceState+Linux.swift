extension PlatformDeviceState {
    /// - Parameter directory: the folder whose volume `storageNotLow` is about.
    static func sources(directory: String) -> [any ConditionSource] {
        networkSources() + [
            MeteringCondition(), PowerCondition(), StorageCondition(directory: directory),
            IdleCondition(),
        ]
    }

    /// Those of the network alone.
    static func networkSources() -> [any ConditionSource] { [NetworkCondition()] }
}
