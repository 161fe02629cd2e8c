// Not on macOS.
#if !APPLE_SHAPE_MACOS
public import Foundation
public import UIKit

/// doc: swiftui/uiapplicationdelegateadaptor; there is no app, and no delegate
@MainActor @preconcurrency @propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate> {
    /// doc: swiftui/uiapplicationdelegateadaptor/wrappedvalue
    @MainActor @preconcurrency public var wrappedValue: DelegateType { preconditionFailure("no app runs here") }

    /// doc: swiftui/uiapplicationdelegateadaptor/init(_:)-59sfu
    @MainActor @preconcurrency public init(_ delegateType: DelegateType.Type = DelegateType.self) {}
}
#endif
