import BackgroundWorkTransfers
import BackgroundWorkURLSession

/// Messages on the daemon's socket, as the agent's are framed: four bytes of length, then JSON.
enum Frames {
    static func bytes(of message: some Encodable) throws -> [UInt8] {
        let body = try JSONEncoder().encode(message)
        guard body.count <= FrameCodec.maximumBytes else { throw FrameError.oversized(bytes: body.count) }
        return withUnsafeBytes(of: UInt32(body.count).bigEndian) { Array($0) } + body
    }

    /// Reads messages until the other end is gone, or sends what cannot be read.
    static func read<Message: Decodable>(
        _ type: Message.Type, from socket: DaemonSocket, _ receive: (Message) -> Void
    ) {
        var reader = FrameReader()
        do {
            repeat {
                while let body = try reader.next() { receive(try JSONDecoder().decode(type, from: Data(body))) }
            } while try reader.receive(socket.receive) > 0
        } catch {
            socket.shutDown()
        }
    }
}
