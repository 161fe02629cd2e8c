// swift-tools-version: 6.1
import PackageDescription

// MARK: - The platform

let applePlatforms: [Platform] = [.iOS, .macCatalyst, .macOS, .tvOS, .visionOS]

#if os(macOS)
let host = Platform.macOS
#else
let host = Platform.linux
#endif

/// What the manifest is read for: Linux, or Apple's platforms. Targets and folders of the other one are left out.
let platform: Platform = {
    guard let name = Context.environment["BACKGROUNDWORK_PLATFORM"] else { return host }
    guard let named = ["linux": Platform.linux, "ios": .iOS, "macos": .macOS][name] else {
        fatalError("BACKGROUNDWORK_PLATFORM is \"\(name)\": set it to linux, ios or macos, or unset it.")
    }
    return named
}()
let isLinux = platform == .linux

/// Whether Linux's compiler is to check the code of one of Apple's platforms.
let isAppleShaped = !isLinux && host == .linux

/// Products that stand in for Apple's modules in an Apple-shaped build, two of them for `BackgroundWorkSystem` and
/// `BackgroundWorkFoundation`, and the packages that have them.
let standIns: [Target.Dependency] =
    [
        "BackgroundWorkSystem", "BackgroundWorkFoundation", "BackgroundTasks", "CryptoKit", "IOKit", "Network",
        "Security", "UIKit", "notify",
    ].map {
        .product(name: $0, package: "AppleShims")
    }
let standInPackages: [Package.Dependency] = [.package(path: "Tests/AppleShims")]

/// A compilation condition, BACKGROUNDWORK_HAS_…, for what only some platforms have.
func ability(_ name: String, on platforms: [Platform]) -> [SwiftSetting] {
    let condition = "BACKGROUNDWORK_HAS_" + name
    // The compiler's platform is Linux there.
    if isAppleShaped { return platforms.contains(platform) ? [.define(condition)] : [] }
    return [.define(condition, .when(platforms: platforms))]
}

/// Dependencies that only the folder `Linux` of a target has.
func onLinux(_ dependencies: Target.Dependency...) -> [Target.Dependency] { isLinux ? dependencies : [] }

/// Those that only the folder `Apple` has.
func onApple(_ dependencies: Target.Dependency...) -> [Target.Dependency] { isLinux ? [] : dependencies }

/// Those of a target's folders `Linux` and `Apple` that are not for this platform.
func foreign(_ folders: String...) -> [String] { folders.filter { $0 != (isLinux ? "Linux" : "Apple") } }

// MARK: - What the targets have in common

let settings: [SwiftSetting] =
    [.enableUpcomingFeature("ExistentialAny")]
    // Darwin's C library, where its types and constants differ from Linux's.
    + ability("DARWIN", on: applePlatforms)
    // A program may start others.
    + ability("SUBPROCESSES", on: [.linux, .macOS])
    // BGTaskScheduler.
    + ability("TASK_SCHEDULER", on: [.iOS, .macCatalyst, .tvOS, .visionOS])
    // Processes are suspended in the background.
    + ability("SUSPENSION", on: [.iOS, .macCatalyst, .tvOS, .visionOS])
    // BGContinuedProcessingTask, from iOS 26 on.
    + ability("CONTINUED_TASKS", on: [.iOS])
    // NSBackgroundActivityScheduler.
    + ability("ACTIVITY_SCHEDULER", on: [.macOS])
    // UIDevice reports the battery.
    + ability("BATTERY_MONITORING", on: [.iOS, .macCatalyst, .visionOS])
    // IOKit reports power sources.
    + ability("POWER_SOURCES", on: [.macOS])
    // Files are encrypted by classes, which say when they can be read.
    + ability("DATA_PROTECTION", on: [.iOS, .macCatalyst, .tvOS, .visionOS])
    // A volume's capacity for important usage.
    + ability("IMPORTANT_CAPACITY", on: [.iOS, .macCatalyst, .macOS, .visionOS])

/// The system's C library and Foundation, by one name each on every platform.
let libraries: [Target.Dependency] = isAppleShaped ? standIns : ["BackgroundWorkSystem", "BackgroundWorkFoundation"]

let libraryTargets: [Target] = [
    .target(name: "BackgroundWorkSystem", exclude: foreign("Linux", "Apple"), swiftSettings: settings),
    .target(name: "BackgroundWorkFoundation", swiftSettings: settings),
]

/// For libraries that are loaded when they are needed.
let loading: [LinkerSetting] = [.linkedLibrary("dl")]

// MARK: - Targets of all platforms

let targets: [Target] = [
    .target(name: "CBackgroundWorkSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CBackgroundWorkZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(name: "BackgroundWorkModel", dependencies: libraries, swiftSettings: settings),
    .target(
        name: "BackgroundWorkFiles",
        dependencies: libraries + onLinux("CBackgroundWorkCrypto", "CBackgroundWorkLinux"),
        exclude: foreign("Linux", "Apple"), swiftSettings: settings),
    .target(
        name: "BackgroundWorkStorage",
        dependencies: libraries + ["BackgroundWorkModel", "BackgroundWorkFiles", "CBackgroundWorkSQLite"],
        swiftSettings: settings),
    .target(
        name: "BackgroundWorkTransfers", dependencies: libraries + ["BackgroundWorkModel", "BackgroundWorkFiles"],
        swiftSettings: settings),
    .target(
        name: "BackgroundWorkDevice",
        dependencies: libraries + ["BackgroundWorkModel", "BackgroundWorkFiles"] + onLinux("CBackgroundWorkLinux"),
        exclude: foreign("Linux", "Apple"), swiftSettings: settings),
    .target(
        name: "BackgroundWorkURLSession",
        dependencies: libraries + [
            "BackgroundWorkModel", "BackgroundWorkFiles", "BackgroundWorkStorage", "BackgroundWorkTransfers",
        ],
        exclude: foreign("Linux", "Apple"), swiftSettings: settings),
    .target(
        name: "BackgroundWorkHTTP",
        dependencies: libraries + [
            "BackgroundWorkModel", "BackgroundWorkDevice", "BackgroundWorkFiles", "BackgroundWorkTransfers",
        ] + onLinux("BackgroundWorkExchange") + onApple("BackgroundWorkURLSession"),
        exclude: foreign("Linux", "Apple"), swiftSettings: settings),
    .target(
        name: "BackgroundWorkArchive",
        dependencies: libraries + ["BackgroundWorkFiles", "CBackgroundWorkZlib"], swiftSettings: settings),
    .target(
        name: "BackgroundWorkBuiltIns",
        dependencies: libraries + [
            "BackgroundWorkArchive", "BackgroundWorkModel", "BackgroundWorkFiles", "BackgroundWorkHTTP",
            "BackgroundWorkTransfers",
        ],
        swiftSettings: settings),
    .target(
        name: "BackgroundWorkSockets",
        dependencies: libraries + [
            "BackgroundWorkDevice", "BackgroundWorkFiles", "BackgroundWorkHTTP", "BackgroundWorkModel",
            "BackgroundWorkTransfers",
        ] + onLinux("BackgroundWorkExchange", "CBackgroundWorkCurl", "CBackgroundWorkLinux", "CBackgroundWorkZlib")
            + onApple("BackgroundWorkURLSession"),
        exclude: foreign("Linux", "Apple"), swiftSettings: settings),
    .target(
        name: "BackgroundWork",
        dependencies: libraries + [
            "BackgroundWorkBuiltIns", "BackgroundWorkModel", "BackgroundWorkDevice", "BackgroundWorkFiles",
            "BackgroundWorkHTTP",
            "BackgroundWorkStorage", "BackgroundWorkTransfers",
        ] + onLinux("BackgroundWorkAgentClient", "CBackgroundWorkLinux")
            + onApple("BackgroundWorkURLSession"),
        exclude: foreign("Linux", "Apple"), resources: isLinux ? [] : [.copy("Apple/PrivacyInfo.xcprivacy")],
        swiftSettings: settings),
    .target(
        name: "BackgroundWorkTesting",
        dependencies: libraries + [
            "BackgroundWork", "BackgroundWorkFiles", "BackgroundWorkModel", "BackgroundWorkTransfers",
        ],
        swiftSettings: settings),
    // Apart, because it loads Foundation's URL loading system, with a second libcurl on Linux; bgwork has the other.
    .target(
        name: "BackgroundWorkSessionTesting",
        dependencies: libraries + [
            "BackgroundWork", "BackgroundWorkFiles", "BackgroundWorkModel", "BackgroundWorkTesting",
            "BackgroundWorkTransfers", "BackgroundWorkURLSession",
        ],
        exclude: foreign("Linux"), swiftSettings: settings),
    .target(
        name: "BackgroundWorkConsole",
        dependencies: libraries + ["BackgroundWorkModel", "BackgroundWorkTransfers"],
        swiftSettings: settings),
    .target(
        name: "TestSupport",
        dependencies: libraries + [
            "BackgroundWorkFiles", "BackgroundWorkModel", "BackgroundWorkTransfers", "CBackgroundWorkSQLite",
        ] + onLinux("BackgroundWorkAgentClient", "CBackgroundWorkLinux"),
        path: "Tests/TestSupport", exclude: foreign("Linux", "Apple"), swiftSettings: settings),
    .testTarget(
        name: "BackgroundWorkModelTests", dependencies: libraries + ["BackgroundWorkModel", "TestSupport"],
        swiftSettings: settings),
    .testTarget(
        name: "BackgroundWorkFilesTests",
        dependencies: libraries + ["BackgroundWorkFiles", "TestSupport"] + onLinux("CBackgroundWorkLinux"),
        exclude: foreign("Linux", "Apple"), swiftSettings: settings),
    .testTarget(
        name: "BackgroundWorkStorageTests", dependencies: libraries + ["BackgroundWorkStorage", "TestSupport"],
        swiftSettings: settings),
    .testTarget(
        name: "BackgroundWorkTransfersTests", dependencies: libraries + ["BackgroundWorkTransfers", "TestSupport"],
        swiftSettings: settings),
    .testTarget(
        name: "BackgroundWorkHTTPTests",
        dependencies: libraries + ["BackgroundWorkHTTP", "BackgroundWorkTesting", "TestSupport"],
        exclude: foreign("Linux", "Apple"), swiftSettings: settings),
    .testTarget(
        name: "BackgroundWorkArchiveTests",
        dependencies: libraries + ["BackgroundWorkArchive", "BackgroundWorkFiles", "TestSupport"],
        exclude: foreign("Linux"), swiftSettings: settings),
    .testTarget(
        name: "BackgroundWorkBuiltInsTests",
        dependencies: libraries + [
            "BackgroundWork", "BackgroundWorkArchive", "BackgroundWorkBuiltIns", "BackgroundWorkFiles",
            "BackgroundWorkModel", "BackgroundWorkTesting", "BackgroundWorkTransfers", "TestSupport",
        ],
        exclude: foreign("Linux"), swiftSettings: settings),
    .testTarget(
        name: "BackgroundWorkSocketsTests",
        dependencies: libraries + ["BackgroundWorkSockets", "BackgroundWorkTesting", "TestSupport"],
        exclude: foreign("Linux", "Apple"), swiftSettings: settings),
    .testTarget(
        name: "BackgroundWorkDeviceTests", dependencies: libraries + ["BackgroundWorkDevice", "TestSupport"],
        exclude: foreign("Linux", "Apple"), swiftSettings: settings),
    .testTarget(
        name: "BackgroundWorkTests",
        dependencies: libraries + ["BackgroundWork", "BackgroundWorkTesting", "TestSupport"],
        exclude: foreign("Apple"), swiftSettings: settings),
    .testTarget(
        name: "BackgroundWorkURLSessionTests",
        dependencies: libraries + ["BackgroundWorkTesting", "BackgroundWorkURLSession", "TestSupport"],
        exclude: foreign("Apple"), swiftSettings: settings),
    .testTarget(
        name: "BackgroundWorkConsoleTests", dependencies: libraries + ["BackgroundWorkConsole"],
        swiftSettings: settings),
    .testTarget(
        name: "BackgroundWorkTestingTests",
        dependencies: libraries + [
            "BackgroundWork", "BackgroundWorkSessionTesting", "BackgroundWorkTesting", "BackgroundWorkURLSession",
            "TestSupport",
        ],
        exclude: foreign("Linux"), swiftSettings: settings),
]

// MARK: - Targets of Linux: the agent and its client

let linuxTargets: [Target] = [
    .target(name: "CBackgroundWorkCrypto", dependencies: ["CBackgroundWorkLinux"]),
    .target(name: "CBackgroundWorkCurl", dependencies: ["CBackgroundWorkLinux"]),
    .target(name: "CBackgroundWorkLinux", linkerSettings: loading),
    .target(
        name: "BackgroundWorkAgentClient",
        dependencies: libraries + [
            "BackgroundWorkModel", "BackgroundWorkFiles", "BackgroundWorkTransfers", "CBackgroundWorkLinux",
        ],
        swiftSettings: settings),
    .target(
        name: "BackgroundWorkExchange",
        dependencies: libraries + [
            "BackgroundWorkFiles", "BackgroundWorkModel", "BackgroundWorkTransfers", "CBackgroundWorkCurl",
            "CBackgroundWorkLinux", "CBackgroundWorkZlib",
        ],
        swiftSettings: settings),
    .target(
        name: "BackgroundWorkAgent",
        dependencies: libraries + [
            "BackgroundWorkAgentClient", "BackgroundWorkExchange", "BackgroundWorkModel", "BackgroundWorkDevice",
            "BackgroundWorkFiles",
            "BackgroundWorkStorage", "BackgroundWorkTransfers", "CBackgroundWorkCurl", "CBackgroundWorkLinux",
        ],
        exclude: foreign("Apple"), swiftSettings: settings),
    .executableTarget(
        name: "bgwork",
        dependencies: libraries + [
            "BackgroundWork", "BackgroundWorkAgent", "BackgroundWorkAgentClient", "BackgroundWorkConsole",
            "BackgroundWorkFiles", "BackgroundWorkModel", "BackgroundWorkTesting", "BackgroundWorkTransfers",
            "CBackgroundWorkLinux",
        ],
        swiftSettings: settings),
    .executableTarget(name: "bgwork-agent", dependencies: ["BackgroundWorkAgent"], swiftSettings: settings),
    .executableTarget(
        name: "bgwork-test-host",
        dependencies: libraries + [
            "BackgroundWork", "BackgroundWorkAgent", "BackgroundWorkAgentClient", "BackgroundWorkFiles",
            "BackgroundWorkModel", "BackgroundWorkTransfers", "CBackgroundWorkSQLite", "TestSupport",
        ],
        path: "Tests/TestHost", swiftSettings: settings),
    // Apart from the other hosts, which need no URL loading system.
    .executableTarget(
        name: "bgwork-session-host",
        dependencies: libraries + ["BackgroundWork", "BackgroundWorkSessionTesting", "TestSupport"],
        path: "Tests/SessionHost",
        swiftSettings: settings),
    .executableTarget(
        name: "bgwork-system-host",
        dependencies: libraries + ["BackgroundWork", "BackgroundWorkSessionTesting", "TestSupport"],
        path: "Tests/SystemHost", swiftSettings: settings),
    .testTarget(
        name: "BackgroundWorkAgentClientTests",
        dependencies: libraries + ["BackgroundWorkAgentClient", "BackgroundWorkTransfers", "TestSupport"],
        swiftSettings: settings),
    .testTarget(
        name: "BackgroundWorkExchangeTests", dependencies: libraries + ["BackgroundWorkExchange", "TestSupport"],
        swiftSettings: settings),
    .testTarget(
        name: "BackgroundWorkAgentTests",
        dependencies: libraries + ["BackgroundWorkAgent", "BackgroundWorkExchange", "TestSupport"],
        swiftSettings: settings),
    .testTarget(
        name: "IntegrationTests",
        dependencies: libraries + [
            "BackgroundWork", "BackgroundWorkAgentClient", "BackgroundWorkFiles", "BackgroundWorkModel",
            "BackgroundWorkSessionTesting", "BackgroundWorkSockets", "BackgroundWorkStorage", "BackgroundWorkTesting",
            "BackgroundWorkTransfers", "BackgroundWorkURLSession", "CBackgroundWorkLinux", "TestSupport", "bgwork",
            "bgwork-agent", "bgwork-session-host", "bgwork-system-host", "bgwork-test-host",
        ],
        exclude: ["KillPoint"], swiftSettings: settings),
]

// The benchmarks need the package's inner modules, so they cannot be a package of their own.
let benchmarks: [Target] =
    Context.environment["BACKGROUNDWORK_BENCHMARKS"] == nil
    ? []
    : [
        .executableTarget(
            name: "bgwork-bench",
            dependencies: libraries + [
                "BackgroundWork", "BackgroundWorkFiles", "BackgroundWorkModel", "BackgroundWorkStorage",
                "BackgroundWorkTransfers", "CBackgroundWorkSQLite",
            ],
            swiftSettings: settings)
    ]

// The fuzzer needs the package's inner modules as well. It asks libcurl itself, which nothing else links.
let fuzzers: [Target] =
    Context.environment["BACKGROUNDWORK_FUZZ"] == nil
    ? []
    : [
        .executableTarget(
            name: "bgwork-fuzz",
            dependencies: libraries + ["BackgroundWorkModel", "BackgroundWorkTransfers", "CBackgroundWorkCurl"],
            path: "Tests/Fuzz", swiftSettings: settings, linkerSettings: [.linkedLibrary("curl")])
    ]

// MARK: - Targets of Apple's platforms

let appleTargets: [Target] = [
    .target(name: "BackgroundWorkAgent", path: "Sources/BackgroundWorkAgent/Apple", swiftSettings: settings)
]

// MARK: - The package

let products: [Product] = [
    .library(name: "BackgroundWork", targets: ["BackgroundWork"]),
    .library(name: "BackgroundWorkSockets", targets: ["BackgroundWorkSockets"]),
    .library(name: "BackgroundWorkTesting", targets: ["BackgroundWorkTesting"]),
    .library(name: "BackgroundWorkSessionTesting", targets: ["BackgroundWorkSessionTesting"]),
    .library(name: "BackgroundWorkAgent", targets: ["BackgroundWorkAgent"]),
]

let linuxProducts: [Product] = [
    .executable(name: "bgwork", targets: ["bgwork"]),
    .executable(name: "bgwork-agent", targets: ["bgwork-agent"]),
]

let package = Package(
    name: "BackgroundWork",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .visionOS(.v2)],
    products: products + (isLinux ? linuxProducts : []),
    dependencies: isAppleShaped ? standInPackages : [],
    targets: (isAppleShaped ? [] : libraryTargets) + targets
        + (isLinux ? linuxTargets + benchmarks + fuzzers : appleTargets),
    swiftLanguageModes: [.v6]
)
