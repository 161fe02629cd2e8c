/// What carries requests here.
typealias PlatformBackend = CurlBackend
