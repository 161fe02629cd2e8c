// Not on macOS.
#if !APPLE_SHAPE_MACOS
public import Foundation

/// doc: uikit/uiresponder
@MainActor open class UIResponder: NSObject {}
#endif
