import BackgroundWorkSystem
import Foundation

/// A WebSocket server that this project did not write: Python's `websockets`, from the distribution.
///
/// What a connection does is named by its path; see the program.
package final class WebSocketPeer: Sendable {
    /// What the server is like on a port.
    package enum Port: String, Sendable, CaseIterable {
        /// Offers compression by its defaults.
        case usual
        /// No compression.
        case plain
        /// Compression without context takeover on both sides.
        case fresh
        /// Compression with windows of 512 bytes on both sides.
        case small
    }

    private let ports: [String: UInt16]
    private let process: ChildProcess
    private let folder: TemporaryFolder

    package init() async throws {
        let folder = try TemporaryFolder()
        let log = folder.path + "/log"
        self.folder = folder
        let file = folder.path + "/ports"
        process = try ChildProcess(
            "/usr/bin/python3", ["-c", Self.program, file], environment: ["PATH": "/usr/bin:/bin"], log: log)
        guard
            try await comesTrue({
                FileManager.default.contents(atPath: file).map { $0.last == UInt8(ascii: "\n") } ?? false
            })
        else {
            throw CocoaError(
                .fileReadUnknown, userInfo: ["log": (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""])
        }
        ports = try JSONDecoder().decode([String: UInt16].self, from: Data(contentsOf: URL(filePath: file)))
    }

    deinit { process.send(SIGKILL) }

    package func url(_ path: String, _ port: Port = .usual) -> String { "ws://127.0.0.1:\(number(of: port))\(path)" }

    package func number(of port: Port) -> UInt16 { ports[port.rawValue] ?? 0 }

    private static let program = """
        import asyncio, http, json, os, sys, urllib.parse
        import websockets
        from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory as Deflate

        async def handle(ws):
            url = urllib.parse.urlsplit(ws.path)
            query = dict(urllib.parse.parse_qsl(url.query))
            number = int(query.get("n", "0"))
            if url.path == "/echo":
                async for message in ws:
                    await ws.send(message)
            elif url.path == "/close":
                await ws.recv()
                await ws.close(number, query.get("reason", ""))
            elif url.path == "/burst":
                for index in range(number):
                    await ws.send(str(index))
            elif url.path == "/collect":
                got = [await ws.recv() for _ in range(number)]
                await ws.send(json.dumps([int(one) for one in got] == list(range(number))))
            elif url.path == "/fragments":
                await ws.send(["héllo ", "wörld ", "€", "𝄞"])
                await ws.send([b"ab", b"", b"cd"])
            elif url.path == "/big":
                await ws.send(os.urandom(1) * number)
            elif url.path == "/ping":
                for _ in range(3):
                    await (await ws.ping())
                await ws.send("alive")
            elif url.path == "/about":
                names = [extension.name for extension in ws.extensions]
                await ws.send(json.dumps({"headers": dict(ws.request_headers), "path": ws.path,
                                          "protocol": ws.subprotocol, "extensions": names}))
            elif url.path == "/deaf":
                await asyncio.sleep(3600)
            elif url.path == "/code":
                try:
                    await ws.recv()
                except websockets.ConnectionClosed:
                    pass
                print("closed", ws.close_code, ws.close_reason, flush=True)
            elif url.path == "/drop":
                await ws.recv()
                ws.transport.abort()

        async def judge(path, headers):
            if path.startswith("/status/"):
                status = int(urllib.parse.urlsplit(path).path.split("/")[2])
                return http.HTTPStatus(status), [("Retry-After", "7"), ("Location", "ws://other.example/a?token=x")], b"no way"

        async def main():
            def serve(**options):
                return websockets.serve(handle, "127.0.0.1", 0, process_request=judge, max_size=None, max_queue=4,
                                        subprotocols=["chat.v2", "chat.v1"], ping_interval=None, **options)
            fresh = Deflate(server_no_context_takeover=True, client_no_context_takeover=True)
            small = Deflate(server_max_window_bits=9, client_max_window_bits=9)
            servers = {"usual": serve(), "plain": serve(compression=None),
                       "fresh": serve(compression=None, extensions=[fresh]),
                       "small": serve(compression=None, extensions=[small])}
            ports = {}
            for name, server in servers.items():
                ports[name] = (await server).sockets[0].getsockname()[1]
            with open(sys.argv[1], "w") as file:
                file.write(json.dumps(ports) + "\\n")
            await asyncio.Future()

        asyncio.run(main())
        """
}
