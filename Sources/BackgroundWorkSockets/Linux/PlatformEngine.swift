/// What opens connections here.
typealias PlatformEngine = CurlEngine
