/// A time zone, as far as the rules need it: how far its civil time is from UTC at an instant.
package protocol UTCOffsets: Sendable {
    /// Seconds east of UTC.
    func secondsFromUTC(at instant: WallTime) -> Int
}
