/// A stretch of time during which the clock on the wall is not changed. All in seconds.
struct CivilStretch {
    /// From this instant (UTC) …
    let start: Int64
    /// … to the one before this.
    let end: Int64
    /// How far civil time is ahead of UTC.
    let offset: Int64
}
