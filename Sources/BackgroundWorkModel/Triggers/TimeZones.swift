/// Finds time zones by name. Comes in from outside, since it reads the system's zone files.
package protocol TimeZones: Sendable {
    /// `nil` when there is no zone of that name.
    func zone(named name: String) -> (any UTCOffsets)?
}
