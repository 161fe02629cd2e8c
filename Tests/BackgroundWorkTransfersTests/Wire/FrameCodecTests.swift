import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkTransfers

struct FrameCodecTests {
    static let specification = TransferSpecification(
        reference: TransferReference(store: "s", key: TransferKey(workID: "a#1/🚚", generation: 3)),
        sessionIdentifier: "x", url: "http://h/", options: options, securityPolicy: .publicInternet, savePath: "/p",
        workerName: "W")

    private static var options: TransferOptions {
        var options = TransferOptions()
        options.headers = ["A": "b"]
        options.stallTimeout = .milliseconds(9)
        options.earliestBegin = Date(timeIntervalSince1970: 1.25)
        options.authentication = .digest(user: "u", password: "p")
        options.tokenRefresh = TokenRefresh(url: "https://t/")
        options.proxy = .url("socks5h://p:1")
        options.tls.pinnedPublicKeys = ["k"]
        return options
    }

    private static var upload: TransferSpecification {
        var upload = specification
        upload.job = .upload(
            UploadJob(
                method: "POST", form: .multipart(fields: ["a": "b"]),
                source: UploadSource(path: "/f", bytes: 1 << 40, modifiedNs: 3, inode: .max, device: 4)))
        return upload
    }

    static let requests: [AgentRequest] = [
        .hello(protocolVersion: 1, store: "s", minimumTaskIdentifier: 7), .reserve(specification: .init(specification)),
        .resume(reference: specification.reference), .cancel(references: [specification.reference]),
        .acknowledge(reference: specification.reference), .list(after: 4), .receiveOutcomes,
        .reserve(specification: .init(upload)), .setPaused(reference: specification.reference, isPaused: true),
        .setLimits(limits: TransferLimits()), .followProgress,
        .setLaunchCommand(command: LaunchCommand(arguments: ["/bin/true"])), .setLaunchCommand(command: nil),
        .setWakes(wakes: [WakeRequest(earliest: WallTime(milliseconds: 8), needs: [.network, .charging])]),
        .setWakes(wakes: WakeList(files: [FileWakeRequest(path: "/a \u{1}/é", stamp: "1.2.3.4")])),
    ]

    @Test("many transfers are cancelled in parts that fit into a frame, in their order, whatever their ids")
    func parts() throws {
        let ids = (0..<3000).map { $0 % 2 == 0 ? "w\($0)" : "\($0)" + String(repeating: "\u{1}", count: 500) }
        let references = ids.map { TransferReference(store: "s", key: TransferKey(workID: $0, generation: 1)) }
        let parts = FrameCodec.parts(of: references)
        #expect(Array(parts.joined()) == references)
        #expect(parts.count > 1)
        for part in parts {
            let frame = try FrameCodec.encode(ClientFrame(id: .max, request: .cancel(references: Array(part))))
            #expect(frame.count <= FrameCodec.maximumBytes)
        }
        #expect(FrameCodec.parts(of: []).isEmpty)
        #expect(FrameCodec.parts(of: [references[0]]).count == 1)
    }

    @Test("every request reads back as it was written", arguments: requests)
    func roundTrip(request: AgentRequest) throws {
        var reader = FrameReader()
        reader.append(try FrameCodec.encode(ClientFrame(id: 5, request: request))[...])
        let body = try #require(try reader.next())
        #expect(try FrameCodec.decode(ClientFrame.self, from: body) == ClientFrame(id: 5, request: request))
        #expect(try reader.next() == nil)
        #expect(!reader.holdsPartialFrame)
    }

    @Test("frames are separated in whatever pieces the bytes arrive", arguments: [1, 2, 3, 7, 1000])
    func pieces(size: Int) throws {
        let frames = Self.requests.map { ClientFrame(id: 1, request: $0) }
        let bytes = try frames.flatMap { try FrameCodec.encode($0) }
        var reader = FrameReader()
        var read: [ClientFrame] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            reader.append(bytes[start..<min(start + size, bytes.count)])
            while let body = try reader.next() { read.append(try FrameCodec.decode(ClientFrame.self, from: body)) }
        }
        #expect(read == frames)
    }

    @Test("a frame that is longer than one read is assembled, and the next one begins after it")
    func long() throws {
        var specification = Self.specification
        specification.url = String(repeating: "x", count: 300_000)
        let frames = [
            ClientFrame(id: 1, request: .reserve(specification: .init(specification))),
            ClientFrame(id: 2, request: .receiveOutcomes),
        ]
        var reader = FrameReader()
        var read: [ClientFrame] = []
        for bytes in try [frames, frames].map({ try $0.flatMap { try FrameCodec.encode($0) } }) {
            reader.append(bytes[...])
            #expect(reader.holdsPartialFrame)
            while let body = try reader.next() { read.append(try FrameCodec.decode(ClientFrame.self, from: body)) }
        }
        #expect(read == frames + frames)
        #expect(!reader.holdsPartialFrame)
    }

    @Test("what a host or an agent of an earlier build writes is read, and what is written now is the same to it")
    func earlierForms() throws {
        let reference = TransferReference(store: "s", key: TransferKey(workID: "k", generation: 1))
        let pause = ClientFrame(id: 7, request: .setPaused(reference: reference, isPaused: true))
        try check(pause, #"{"id":7,"request":{"setPaused":{"reference":{"store":"s","key":"k#1"},"isPaused":true}}}"#)
        let running = TransferProgress(
            workID: "k", sessionIdentifier: "x", taskIdentifier: 3, group: "g", phase: .running, bytes: 5,
            totalBytes: 9, bytesPerSecond: 2)
        var waiting = running
        (waiting.phase, waiting.group, waiting.totalBytes) = (.waiting(.nextTry), nil, nil)
        var failed = waiting
        (failed.phase, failed.isUpload, failed.bytesPerSecond) = (.failed(message: "a/b"), true, nil)
        try check(
            AgentFrame.progress(list: [running, waiting, failed]),
            #"{"progress":{"list":[{"workID":"k","sessionIdentifier":"x","taskIdentifier":3,"group":"g","#
                + #""isUpload":false,"phase":{"running":{}},"bytes":5,"totalBytes":9,"bytesPerSecond":2},"#
                + #"{"workID":"k","sessionIdentifier":"x","taskIdentifier":3,"isUpload":false,"#
                + #""phase":{"waiting":{"_0":"nextAttempt"}},"bytes":5,"bytesPerSecond":2},"#
                + #"{"workID":"k","sessionIdentifier":"x","taskIdentifier":3,"isUpload":true,"#
                + #""phase":{"failed":{"message":"a/b"}},"bytes":5}]}}"#)
    }

    private func check<Frame: FastJSONCodable & Equatable>(_ frame: Frame, _ earlier: String) throws {
        #expect(try FrameCodec.decode(Frame.self, from: Array(earlier.utf8)[...]) == frame)
        // The order of an object's members has no meaning.
        let written = try FrameCodec.encode(frame).dropFirst(4)
        let members = try JSONCoding.value(JSONValue.self, from: String(decoding: written, as: UTF8.self))
        #expect(try members == JSONCoding.value(JSONValue.self, from: earlier))
    }

    @Test("a frame over the limit is rejected by its length alone, and is not sent either")
    func oversized() throws {
        var reader = FrameReader()
        reader.append([0x00, 0x10, 0x00, 0x01])
        #expect(throws: FrameError.oversized(bytes: FrameCodec.maximumBytes + 1)) { try reader.next() }
        #expect(throws: FrameError.self) {
            var specification = Self.specification
            specification.url = String(repeating: "x", count: FrameCodec.maximumBytes)
            _ = try FrameCodec.encode(ClientFrame(id: 1, request: .reserve(specification: .init(specification))))
        }
    }

    @Test("a frame that is not valid JSON, or not of this protocol, is an error that shows its beginning")
    func garbled() {
        for text in ["hello", "{}", "{\"id\":1,\"request\":{\"dance\":{}}}"] {
            let error = #expect(throws: FrameError.self) {
                try FrameCodec.decode(ClientFrame.self, from: Array(text.utf8)[...])
            }
            #expect(error?.description.contains(text) == true)
        }
    }
}

extension FrameReader {
    fileprivate mutating func append(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            let count = receive {
                let piece = rest.prefix($0.count)
                $0.copyBytes(from: piece)
                return piece.count
            }
            rest = rest.dropFirst(count)
        }
    }
}
