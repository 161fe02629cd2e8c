import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkSockets

/// In processes of their own, since descriptors belong to the whole process.
@Suite("WebSockets in a process that is short of something")
struct ScarcityTests {
    @Test("without descriptors a connection fails with words, and is made when there are some again")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            let server = try RawServer { connection in
                connection.accept()
                connection.send(RawConnection.frame(0x81, [0x41]))
                connection.drain()
            }
            let transport = WebSocketTransport(configuration: .local(ManualClock()))
            let request = WebSocketRequest(server.url)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limit = rlimit()
            getrlimit(files, &limit)
            let usual = limit.rlim_cur
            limit.rlim_cur = 3
            setrlimit(files, &limit)
            let error = await #expect(throws: WebSocketError.self) { try await transport.connect(request) }
            #expect(error?.kind == .network && error?.isRetryable == true)
            #expect(error?.message.contains("too many files open") == true, "\(error?.message ?? "")")
            limit.rlim_cur = usual
            setrlimit(files, &limit)
            let socket = try await transport.connect(request)
            #expect(try await socket.receive() == .text("A"))
            // And for the next one, when the thread is there.
            limit.rlim_cur = 3
            setrlimit(files, &limit)
            let second = await #expect(throws: WebSocketError.self) { try await transport.connect(request) }
            #expect(second?.kind == .network && second?.isRetryable == true)
            try await socket.send("still here")
            limit.rlim_cur = usual
            setrlimit(files, &limit)
            _ = try await transport.connect(request)
        }
    }

    @Test("hundreds of connections share one thread")
    func idle() async {
        await #expect(processExitsWith: .success) {
            DescriptorLimit.raise()
            let server = try RawServer { connection in
                connection.accept()
                // One answer each, after which all are idle.
                _ = connection.readFrame()
                connection.send(RawConnection.frame(0x81, [0x41]))
                if let close = connection.readFrame() { connection.send(RawConnection.frame(0x88, close.payload)) }
            }
            let transport = WebSocketTransport(configuration: .local(SystemWorkClock()))
            let url = server.url
            let sockets = try await withThrowingTaskGroup(of: WebSocketConnection.self) { group in
                for _ in 0..<300 { group.addTask { try await transport.connect(WebSocketRequest(url)) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            func threads() -> Int {
                (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
            }
            // The server has one for each; so has nobody else.
            #expect(threads() < 300 + 40)
            for socket in sockets { try await socket.send("a") }
            for socket in sockets { #expect(try await socket.receive() == .text("A")) }
            for socket in sockets { await socket.close() }
            #expect(sockets.allSatisfy { $0.closeCode == .normal })
        }
    }
}
