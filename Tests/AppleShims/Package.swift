// swift-tools-version: 6.1
import PackageDescription

// Modules of Apple's names and shapes for Linux: README.md says what they are for.

/// The platform whose shape is built, as the package above reads it; some symbols are missing on macOS.
let isMac = Context.environment["BACKGROUNDWORK_PLATFORM"] == "macos"
let settings: [SwiftSetting] =
    [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault")]
    + (isMac ? [.define("APPLE_SHAPE_MACOS")] : [])

let package = Package(
    name: "AppleShims",
    products: [
        .library(name: "BackgroundWorkSystem", targets: ["BackgroundWorkSystem"]),
        .library(name: "BackgroundWorkFoundation", targets: ["BackgroundWorkFoundation"]),
        .library(name: "BackgroundTasks", targets: ["BackgroundTasks"]),
        .library(name: "CryptoKit", targets: ["CryptoKit"]),
        .library(name: "IOKit", targets: ["IOKit"]),
        .library(name: "Network", targets: ["Network"]),
        .library(name: "Security", targets: ["Security"]),
        .library(name: "SwiftUI", targets: ["SwiftUI"]),
        .library(name: "UIKit", targets: ["UIKit"]),
        .library(name: "WidgetKit", targets: ["WidgetKit"]),
        .library(name: "notify", targets: ["notify"]),
    ],
    targets: [
        .target(name: "CAppleSystem"),
        .target(name: "AppleSystem", dependencies: ["CAppleSystem"], swiftSettings: settings),
        .target(name: "AppleDispatch", dependencies: ["CAppleDispatch"], swiftSettings: settings),
        .target(name: "CAppleDispatch"),
        .target(name: "BackgroundTasks", swiftSettings: settings),
        .target(name: "IOKit"),
        .target(name: "Network", swiftSettings: settings),
        .target(name: "notify", swiftSettings: settings),
        .target(name: "AppleCoreFoundation", swiftSettings: settings),
        .target(name: "CAppleCrypto", linkerSettings: [.linkedLibrary("crypto")]),
        .target(name: "CryptoKit", dependencies: ["CAppleCrypto"], swiftSettings: settings),
        .target(
            name: "Security", dependencies: ["AppleCoreFoundation", "CAppleCrypto"], swiftSettings: settings),
        .target(
            name: "FoundationExtras", dependencies: ["AppleCoreFoundation", "Security"], swiftSettings: settings),
        .target(name: "SwiftUI", dependencies: ["UIKit"], swiftSettings: settings),
        .target(name: "UIKit", swiftSettings: settings),
        .target(name: "WidgetKit", dependencies: ["SwiftUI"], swiftSettings: settings),
        // In the place of the package's targets of these names.
        .target(
            name: "BackgroundWorkSystem", dependencies: ["AppleSystem", "AppleDispatch"], swiftSettings: settings),
        .target(
            name: "BackgroundWorkFoundation", dependencies: ["AppleDispatch", "FoundationExtras"],
            swiftSettings: settings),
        .testTarget(
            name: "ShimTests",
            dependencies: [
                "BackgroundTasks", "BackgroundWorkSystem", "BackgroundWorkFoundation", "CryptoKit", "IOKit", "Network",
                "Security", "UIKit", "notify",
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
