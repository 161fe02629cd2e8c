#if os(Linux)
/// Where an attempt turns to, and as whom.
struct AttemptSetting {
    let address: String
    /// The parts of the address.
    let url: TransferURL
    /// A token that was fetched for it; takes the place of the client's own authorization.
    let token: String?

    init(address: String, token: String? = nil) {
        self.address = address
        url = TransferURL(address)
        self.token = token
    }
}
#endif
