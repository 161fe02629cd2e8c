import BackgroundWorkTransfers

extension RequestOrigin {
    package init(_ space: URLProtectionSpace) {
        let host = space.host.contains(":") ? "[\(space.host)]" : space.host
        self.init("\(space.protocol ?? "https")://\(host):\(space.port)")
    }
}
