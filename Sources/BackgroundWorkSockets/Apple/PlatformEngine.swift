/// What opens connections here.
typealias PlatformEngine = SessionEngine

extension SessionEngine {
    convenience init() { self.init(URLSessionSocketSystem()) }
}
