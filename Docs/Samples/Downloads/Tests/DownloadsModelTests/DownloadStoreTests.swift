import BackgroundWorkTesting
import DownloadsModel
import Foundation
import Testing

@MainActor @Suite(.timeLimit(.minutes(1)))
struct DownloadStoreTests {
    static let film = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 % 251) })

    /// A phone whose server sends 50,000 bytes of the film, and the rest when it is released.
    private func phone() throws -> Phone {
        let phone = try Phone()
        phone.server.serve(.bytes(Array(Self.film)), at: "/film.mp4")
        phone.server.setBehaviour(.holdAfter(bytes: 50_000), for: "/film.mp4")
        return phone
    }

    private func someArrived(_ store: DownloadStore) -> Bool {
        store.downloads.first?.state == .running && (store.downloads.first?.fraction ?? 0) > 0
    }

    @Test("a download that is added shows its progress, and its file when it has ended")
    func add() async throws {
        let phone = try phone()
        let app = try await phone.launch()
        await app.store.add(phone.server.url("/film.mp4"))
        #expect(app.download?.name == "film.mp4")
        await app.wait(until: someArrived)
        let fraction = try #require(app.download?.fraction)
        #expect(fraction > 0 && fraction <= 0.25)
        phone.server.release("/film.mp4")
        await app.wait { $0.downloads.first?.isOver == true }
        guard case .finished(let file) = app.download?.state else {
            Issue.record("it ended as \(String(describing: app.download?.state))")
            return
        }
        #expect(file.lastPathComponent == "film.mp4" && phone.contents(of: "film.mp4") == Self.film)
        #expect(app.download?.fraction == 1 && app.store.problem == nil)
        await app.end()
        try phone.remove()
    }

    @Test("a paused download does not go on, and continues with its bytes when it is resumed")
    func pause() async throws {
        let phone = try phone()
        let app = try await phone.launch()
        await app.store.add(phone.server.url("/film.mp4"))
        await app.wait(until: someArrived)
        let id = try #require(app.download?.id)
        await app.store.pause(id)
        await app.wait { $0.downloads.first?.state == .paused }
        phone.server.setBehaviour(.correct, for: "/film.mp4")
        phone.server.release("/film.mp4")
        await app.store.resume(id)
        await app.wait { $0.downloads.first?.isOver == true }
        #expect(phone.contents(of: "film.mp4") == Self.film)
        let requests = phone.server.requests.filter { $0.path == "/film.mp4" }
        #expect(requests.count == 2 && requests.last?.status == 206)
        await app.end()
        try phone.remove()
    }

    @Test("a pause survives the end of the app, and so does the list")
    func relaunchPaused() async throws {
        let phone = try phone()
        let first = try await phone.launch()
        await first.store.add(phone.server.url("/film.mp4"))
        await first.wait(until: someArrived)
        let id = try #require(first.download?.id)
        await first.store.pause(id)
        await first.end()
        phone.server.setBehaviour(.correct, for: "/film.mp4")
        phone.server.release("/film.mp4")
        let second = try await phone.launch()
        await second.wait { $0.downloads.first?.state == .paused }
        #expect(second.download?.id == id)
        await second.store.resume(id)
        await second.wait { $0.downloads.first?.isOver == true }
        #expect(phone.contents(of: "film.mp4") == Self.film)
        await second.end()
        try phone.remove()
    }

    @Test("a download goes on while the app is dead, and the next launch shows its file")
    func relaunch() async throws {
        let phone = try phone()
        let first = try await phone.launch()
        await first.store.add(phone.server.url("/film.mp4"))
        await first.wait(until: someArrived)
        await first.end()
        phone.server.release("/film.mp4")
        await phone.server.wait { $0.contains { $0.path == "/film.mp4" && $0.isComplete } }
        #expect(phone.contents(of: "film.mp4") == nil)  // its place is the app's business
        let second = try await phone.launch()
        await second.wait { $0.downloads.first?.isOver == true }
        #expect(phone.contents(of: "film.mp4") == Self.film)
        await second.end()
        let third = try await phone.launch()
        #expect(third.store.downloads.count == 1 && third.download?.fraction == 1)
        await third.end()
        try phone.remove()
    }

    @Test("a cancelled download leaves no file and no transfer, and can be tried again")
    func cancel() async throws {
        let phone = try phone()
        let app = try await phone.launch()
        await app.store.add(phone.server.url("/film.mp4"))
        await app.wait(until: someArrived)
        let id = try #require(app.download?.id)
        await app.store.cancel(id)
        #expect(app.download?.state == .cancelled)
        await phone.daemon.wait {
            $0.contains { $0.event == .completed(session: "downloads", task: 1, errorCode: -999) }
        }
        #expect(phone.contents(of: "film.mp4") == nil)
        phone.server.setBehaviour(.correct, for: "/film.mp4")
        phone.server.release("/film.mp4")
        await app.store.retry(id)
        await app.wait { $0.downloads.first?.isOver == true }
        #expect(phone.contents(of: "film.mp4") == Self.film)
        await app.end()
        try phone.remove()
    }

    @Test("a failure says why, and an address that is none is refused")
    func failure() async throws {
        let phone = try Phone()
        let app = try await phone.launch()
        await app.store.add(phone.server.url("/missing"))
        await app.store.add("film.mp4")
        #expect(app.store.problem?.contains("url") == true)
        await app.wait { $0.downloads.first?.isOver == true }
        guard app.store.downloads.count == 1, case .failed(let reason) = app.store.downloads[0].state else {
            Issue.record("they ended as \(app.store.downloads)")
            return
        }
        #expect(reason.contains("404"))
        await app.end()
        try phone.remove()
    }
}
