/// What carries requests here.
typealias PlatformBackend = URLSessionBackend
