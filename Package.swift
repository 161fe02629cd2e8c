// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

/// The system's C library and Foundation, by one name each on every platform.
let libraries: [Target.Dependency] = ["BackgroundWorkSystem", "BackgroundWorkFoundation"]

let package = Package(
    name: "BackgroundWork",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "BackgroundWork", targets: ["BackgroundWork"]),
        .library(name: "BackgroundWorkTesting", targets: ["BackgroundWorkTesting"]),
        .library(name: "BackgroundWorkAgent", targets: ["BackgroundWorkAgent"]),
        .executable(name: "bgwork", targets: ["bgwork"]),
        .executable(name: "bgwork-agent", targets: ["bgwork-agent"]),
    ],
    targets: [
        .target(name: "CBackgroundWorkSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "CBackgroundWorkCrypto",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
        ),
        .target(
            name: "CBackgroundWorkCurl",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
        ),
        .target(
            name: "CBackgroundWorkZlib",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
        ),
        .target(
            name: "CBackgroundWorkLinux",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
        ),
        .target(name: "BackgroundWorkSystem", swiftSettings: settings),
        .target(name: "BackgroundWorkFoundation", swiftSettings: settings),
        .target(name: "BackgroundWorkModel", dependencies: libraries, swiftSettings: settings),
        .target(
            name: "BackgroundWorkFiles",
            dependencies: libraries + [
                "CBackgroundWorkCrypto",
                .target(name: "CBackgroundWorkLinux", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "BackgroundWorkStorage",
            dependencies: libraries + ["BackgroundWorkModel", "BackgroundWorkFiles", "CBackgroundWorkSQLite"],
            swiftSettings: settings
        ),
        .target(
            name: "BackgroundWorkTransfers",
            dependencies: libraries + [
                "BackgroundWorkModel",
                "BackgroundWorkFiles",
                .target(name: "CBackgroundWorkLinux", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "BackgroundWorkDevice",
            dependencies: libraries + [
                "BackgroundWorkModel", "BackgroundWorkFiles",
                .target(name: "CBackgroundWorkLinux", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "BackgroundWorkAgent",
            dependencies: libraries + [
                "BackgroundWorkModel",
                "BackgroundWorkDevice",
                "BackgroundWorkFiles",
                "BackgroundWorkStorage",
                "BackgroundWorkTransfers",
                .target(name: "CBackgroundWorkCurl", condition: .when(platforms: [.linux])),
                .target(name: "CBackgroundWorkZlib", condition: .when(platforms: [.linux])),
                .target(name: "CBackgroundWorkLinux", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "BackgroundWork",
            dependencies: libraries + [
                "BackgroundWorkModel", "BackgroundWorkFiles", "BackgroundWorkStorage", "BackgroundWorkTransfers",
                "BackgroundWorkDevice",
                .target(name: "CBackgroundWorkLinux", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "BackgroundWorkTesting",
            dependencies: libraries + [
                "BackgroundWork", "BackgroundWorkFiles", "BackgroundWorkModel", "BackgroundWorkTransfers",
            ],
            swiftSettings: settings),
        .target(
            name: "BackgroundWorkConsole",
            dependencies: libraries + ["BackgroundWorkModel", "BackgroundWorkTransfers"],
            swiftSettings: settings),
        .executableTarget(
            name: "bgwork",
            dependencies: libraries + [
                "BackgroundWork", "BackgroundWorkAgent", "BackgroundWorkConsole", "BackgroundWorkFiles",
                "BackgroundWorkModel", "BackgroundWorkTesting", "BackgroundWorkTransfers",
                .target(name: "CBackgroundWorkLinux", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "bgwork-agent", dependencies: ["BackgroundWorkAgent"], swiftSettings: settings),
        .executableTarget(
            name: "bgwork-test-host",
            dependencies: libraries + [
                "BackgroundWork", "BackgroundWorkAgent", "BackgroundWorkModel", "BackgroundWorkTransfers",
                "CBackgroundWorkSQLite", "TestSupport",
            ],
            path: "Tests/TestHost", swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: libraries + [
                "BackgroundWorkModel", "BackgroundWorkTransfers",
                .target(name: "CBackgroundWorkLinux", condition: .when(platforms: [.linux])),
            ],
            path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(
            name: "BackgroundWorkModelTests", dependencies: libraries + ["BackgroundWorkModel", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BackgroundWorkFilesTests", dependencies: libraries + ["BackgroundWorkFiles", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BackgroundWorkDeviceTests", dependencies: libraries + ["BackgroundWorkDevice", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BackgroundWorkStorageTests", dependencies: libraries + ["BackgroundWorkStorage", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BackgroundWorkTransfersTests", dependencies: libraries + ["BackgroundWorkTransfers", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BackgroundWorkTests",
            dependencies: libraries + ["BackgroundWork", "BackgroundWorkTesting", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BackgroundWorkAgentTests", dependencies: libraries + ["BackgroundWorkAgent", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BackgroundWorkConsoleTests", dependencies: libraries + ["BackgroundWorkConsole"],
            swiftSettings: settings),
        .testTarget(
            name: "BackgroundWorkTestingTests", dependencies: libraries + ["BackgroundWorkTesting", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "IntegrationTests",
            dependencies: libraries + [
                "BackgroundWork", "BackgroundWorkFiles", "BackgroundWorkModel", "BackgroundWorkStorage",
                "BackgroundWorkTesting", "BackgroundWorkTransfers", "TestSupport", "bgwork", "bgwork-agent",
                "bgwork-test-host",
                .target(name: "CBackgroundWorkLinux", condition: .when(platforms: [.linux])),
            ],
            exclude: ["KillPoint"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

// The benchmarks need the package's inner modules, so they cannot be a package of their own.
if Context.environment["BACKGROUNDWORK_BENCHMARKS"] != nil {
    package.targets.append(
        .executableTarget(
            name: "bgwork-bench",
            dependencies: libraries + [
                "BackgroundWork", "BackgroundWorkFiles", "BackgroundWorkModel", "BackgroundWorkStorage",
                "BackgroundWorkTransfers", "CBackgroundWorkSQLite",
            ],
            swiftSettings: settings))
}
