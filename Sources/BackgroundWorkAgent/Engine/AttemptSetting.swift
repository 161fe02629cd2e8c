#if os(Linux)
/// Where an attempt turns to, and as whom.
struct AttemptSetting {
    let address: String
    /// The parts of the address.
    let url: TransferURL
    /// A token that was fetched for it; takes the place of the client's own authorization.
    let token: String?

    /// - Parameter url: the parts of the address, where they are known.
    init(address: String, url: TransferURL? = nil, token: String? = nil) {
        self.address = address
        self.url = url ?? TransferURL(address)
        self.token = token
    }
}
#endif
