import Testing

@testable import BackgroundWorkFiles

/// What is reported on Linux only.
struct InotifyTests {
    private let fixture: WatcherFixture

    init() throws { fixture = try WatcherFixture() }

    @Test("in a folder a written entry counts")
    func writtenEntry() async throws {
        try fixture.createFolder("folder")
        try fixture.write("1", to: "folder/entry")
        await fixture.watch("folder")
        try fixture.append("2", to: "folder/entry")
        #expect(try await fixture.changes() == ["folder"])
    }

    @Test("a version that is installed by changing a folder's link is reported")
    func linkedFolder() async throws {
        for version in ["1", "2"] {
            try fixture.createFolder("version-\(version)")
            try fixture.write(version, to: "version-\(version)/settings")
        }
        try fixture.link("current", to: "version-1")
        try fixture.link("settings", to: "current/../current/settings")
        await fixture.watch("settings")
        try fixture.link("next", to: fixture.path("version-2"))
        try fixture.rename("next", to: "current")
        #expect(try await fixture.changes() == ["settings"])
        try fixture.append("3", to: "version-2/settings")
        #expect(try await fixture.changes() == ["settings"])
    }
}
