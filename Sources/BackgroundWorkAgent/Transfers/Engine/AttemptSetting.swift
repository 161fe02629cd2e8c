#if os(Linux)
/// Where an attempt turns to, and as whom.
struct AttemptSetting {
    var address: String
    /// A token that was fetched for it; takes the place of the client's own authorization.
    var token: String?
}
#endif
