// swift-tools-version: 6.1
import PackageDescription

#if os(macOS)
let isLinux = Context.environment["BACKGROUNDWORK_PLATFORM"] == "linux"
let standIns: [Target.Dependency] = []
let standInPackages: [Package.Dependency] = []
#else
let isLinux = Context.environment["BACKGROUNDWORK_PLATFORM"] ?? "linux" == "linux"
/// On Linux the views are only compiled: against stand-ins for Apple's modules.
let standIns: [Target.Dependency] = ["SwiftUI", "UIKit"].map { .product(name: $0, package: "AppleShims") }
let standInPackages: [Package.Dependency] = isLinux ? [] : [.package(path: "../../../Tests/AppleShims")]
#endif

let model: [Target] = [
    .target(name: "DownloadsModel", dependencies: [.product(name: "BackgroundWork", package: "BackgroundWork")]),
    .testTarget(
        name: "DownloadsModelTests",
        dependencies: [
            "DownloadsModel",
            .product(name: "BackgroundWork", package: "BackgroundWork"),
            .product(name: "BackgroundWorkSessionTesting", package: "BackgroundWork"),
            .product(name: "BackgroundWorkTesting", package: "BackgroundWork"),
        ]),
]

let package = Package(
    name: "Downloads",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [.library(name: "DownloadsModel", targets: ["DownloadsModel"])]
        + (isLinux ? [] : [.library(name: "DownloadsUI", targets: ["DownloadsUI"])]),
    dependencies: [.package(name: "BackgroundWork", path: "../../..")] + standInPackages,
    targets: model
        + (isLinux
            ? []
            : [
                .target(
                    name: "DownloadsUI",
                    dependencies: [
                        "DownloadsModel", .product(name: "BackgroundWork", package: "BackgroundWork"),
                    ] + standIns)
            ]),
    swiftLanguageModes: [.v6]
)
