// swift-tools-version: 6.2
import PackageDescription

/// Every target: Swift 6 language mode (the tools version's default) and no warning left standing.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// A library target together with the tests that mirror it.
func room(
  _ name: String, _ dependencies: [Target.Dependency] = [], tests: [Target.Dependency] = [], plugins: [Target.PluginUsage] = [],
  exclude: [String] = []
) -> [Target] {
  [
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict, plugins: plugins),
    .testTarget(name: name + "Tests", dependencies: [.byName(name: name)] + dependencies + tests, swiftSettings: strict),
  ]
}

let package = Package(
  name: "kindverb",
  products: [
    .executable(name: "kindverbd", targets: ["kindverbd"]),
    .executable(name: "kindverb", targets: ["kindverb"]),
  ],
  targets: [
    // C shims: each is imported by exactly one Swift module.
    .target(name: "CLinux"),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("dl")]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CSystemdEvent", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),

    // What tests of clients talk to.
    .target(name: "FakeDaemon", dependencies: ["JSON"], path: "Tests/FakeDaemon", swiftSettings: strict),

    // The contract's build tool.
    .executableTarget(name: "ContractGenerator", dependencies: ["JSON"], swiftSettings: strict),
    .testTarget(name: "ContractGeneratorTests", dependencies: ["ContractGenerator", "JSON"], swiftSettings: strict),
    .plugin(
      name: "ContractPlugin", capability: .buildTool(), dependencies: ["ContractGenerator"], path: "Sources/ContractPlugin"),

    // One loop for the tests of every room that needs it: the process has one.
    .target(name: "TestLoop", dependencies: ["EventLoop"], path: "Tests/TestLoop", swiftSettings: strict),

    // The daemon with an upgrade before it.
    .executableTarget(
      name: "UpgradingDaemon", dependencies: ["Daemon", "Storage"], path: "Tests/UpgradingDaemon", swiftSettings: strict),

    // Desktop notifications, driven line by line.
    .executableTarget(
      name: "Notifier", dependencies: ["EventLoop", "JSON", "Systemd"], path: "Tests/Notifier", swiftSettings: strict),

    // Requests over HTTP, driven line by line.
    .executableTarget(
      name: "Fetcher", dependencies: ["EventLoop", "HTTP", "JSON"], path: "Tests/Fetcher", swiftSettings: strict),

    // The daemon with a clock and a zone that can be set.
    .executableTarget(
      name: "TimedDaemon", dependencies: ["CivilTime", "Daemon", "EventLoop"], path: "Tests/TimedDaemon", swiftSettings: strict),

    // Every zone, every date, against the C library.
    .executableTarget(
      name: "ReminderProof", dependencies: ["CivilTime", "KindVerbAPI", "Reminders"], path: "Tests/ReminderProof",
      swiftSettings: strict),

    .executableTarget(name: "kindverbd", dependencies: ["Daemon"], swiftSettings: strict),
    .executableTarget(name: "kindverb", dependencies: ["Commands"], swiftSettings: strict),
  ]
    + room("JSON")
    + room("JSONRPC", ["JSON"], tests: ["FakeDaemon"])
    + room("EventLoop", ["CLinux", "CSystemdEvent"], tests: ["TestLoop"])
    + room("Systemd", ["CSystemd", "EventLoop"], tests: ["TestLoop"])
    + room("SQLite", ["CSQLite"])
    + room("Storage", ["SQLite"])
    + room("Cryptography", ["COpenSSL", "JSON"])
    + room("CivilTime")
    + room("HTTP", ["CCurl", "CivilTime", "EventLoop"])
    + room("Deidentification")
    + room("Letters", plugins: ["ContractPlugin"], exclude: ["Letter.xcstrings"])
    + room("KindVerbAPI", ["JSON"], plugins: ["ContractPlugin"], exclude: ["Localizable.xcstrings"])
    + room("Reminders", ["CivilTime", "EventLoop", "KindVerbAPI", "SQLite", "Storage"], tests: ["TestLoop"])
    + room("Outbox", ["EventLoop", "KindVerbAPI", "SQLite", "Storage"], tests: ["TestLoop"])
    + room(
      "KindVerb",
      ["CivilTime", "Cryptography", "Deidentification", "JSON", "KindVerbAPI", "Letters", "Outbox", "SQLite", "Storage"])
    + room("PulseLog", ["CivilTime", "KindVerbAPI", "SQLite", "Storage"])
    + room("RPCServer", ["EventLoop", "JSONRPC"], tests: ["TestLoop"])
    + room(
      "Daemon",
      [
        "CivilTime", "EventLoop", "HTTP", "JSON", "JSONRPC", "KindVerb", "KindVerbAPI", "Outbox", "PulseLog", "Reminders",
        "RPCServer",
        "SQLite",
        "Storage",
        "Systemd",
      ],
      tests: ["TestLoop"])
    + room("Commands", ["CivilTime", "JSON", "JSONRPC", "KindVerbAPI", "Letters"], tests: ["FakeDaemon"])
)
