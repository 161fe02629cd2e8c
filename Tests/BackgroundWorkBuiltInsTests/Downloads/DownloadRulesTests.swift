import BackgroundWork
import Foundation
import Testing

/// Inputs that break a rule are refused with the field's name before any request is made.
@Suite struct DownloadRulesTests {
    static let broken: [(field: String, members: String)] = [
        ("url", #""url":"ftp://example.com/f""#), ("url", #""url":"""#), ("url", #""url":"http://""#),
        ("url", #""url":"http://a@b@c/f""#), ("url", #""url":"http://10.0.0.1/f""#), ("url", #""url":7"#),
        ("url", #""url":null"#),
        ("savePath", #""savePath":"""#), ("savePath", #""savePath":"  ""#), ("savePath", #""savePath":"file""#),
        ("savePath", #""savePath":"/tmp/../etc/passwd""#), ("savePath", #""savePath":"/proc/self/mem""#),
        ("savePath", #""savePath":"/tmp/folder/""#), ("savePath", #""savePath":["/tmp/f"]"#),
        ("savePath", #""savePath":null"#),
        ("headers", #""headers":{"A":"b\nc"}"#), ("headers", #""headers":{"a b":"c"}"#),
        ("headers", #""headers":{"Content-Length":"1"}"#), ("headers", #""headers":["A: b"]"#),
        ("headers", #""headers":{"A":1}"#),
        ("timeoutMs", #""timeoutMs":0"#), ("timeoutMs", #""timeoutMs":-1"#), ("timeoutMs", #""timeoutMs":"1""#),
        ("expectedChecksum", #""expectedChecksum":"abc""#),
        ("expectedChecksum", #""expectedChecksum":"\#(String(repeating: "g", count: 64))""#),
        ("expectedChecksum", #""expectedChecksum":"\#(String(repeating: "a", count: 63))""#),
        ("expectedChecksum", #""expectedChecksum":"\#(String(repeating: "a", count: 64))","checksumAlgorithm":"MD5""#),
        ("expectedChecksum", #""expectedChecksum":7"#),
        ("checksumAlgorithm", #""checksumAlgorithm":"CRC32""#), ("checksumAlgorithm", #""checksumAlgorithm":256"#),
        ("fileMode", #""fileMode":"1777""#), ("fileMode", #""fileMode":"rw""#), ("fileMode", #""fileMode":420"#),
        ("bytesPerSecond", #""bytesPerSecond":0"#),
    ]
    static let brokenSingle: [(field: String, members: String)] = [
        ("maxBytes", #""maxBytes":-1"#), ("maxBytes", #""maxBytes":"1""#), ("maxBytes", #""maxBytes":1.5"#),
        ("resumable", #""resumable":"yes""#), ("resumable", #""resumable":1"#),
        ("onDuplicate", #""onDuplicate":"ASK""#), ("onDuplicate", #""onDuplicate":false"#),
    ]
    static let brokenParallel: [(field: String, members: String)] = [
        ("numChunks", #""numChunks":0"#), ("numChunks", #""numChunks":17"#), ("numChunks", #""numChunks":-4"#),
        ("numChunks", #""numChunks":"4""#), ("numChunks", #""numChunks":2.5"#),
        ("skipExisting", #""skipExisting":"no""#), ("skipExisting", #""skipExisting":0"#),
    ]

    @Test("an input that breaks a rule is refused, and no request is made")
    func refused() async throws {
        let place = try await DownloadPlace()
        let cases =
            (Self.broken + Self.brokenSingle).map { ("HttpDownloadWorker", $0.field, $0.members) }
            + (Self.broken + Self.brokenParallel).map { ("ParallelHttpDownloadWorker", $0.field, $0.members) }
        for (worker, field, members) in cases {
            // Of doubled names the last one counts.
            let json = #"{"url":"\#(place.url)","savePath":"\#(place.target)",\#(members)}"#
            let answer = try await place.scheduler.enqueue(TaskRequest(workerClassName: worker, inputJSON: json))
            guard case .rejectedBySystem(let reason) = answer else {
                Issue.record("\(worker) accepts \(members): \(answer)")
                continue
            }
            #expect(reason.contains(field), "\(worker): \(members): \(reason)")
        }
        #expect(place.server.requests.isEmpty)
        #expect(place.names.isEmpty)
    }

    static let texts = [
        "", "{", "null", "[]", "7", "\"text\"", "{}", "{\"url\":}",
        String(repeating: "{\"a\":", count: 50) + "1" + String(repeating: "}", count: 50),
        String(repeating: "[", count: 100_000),
    ]

    @Test("JSON that is no input is refused", arguments: texts.indices)
    func noInput(index: Int) async throws {
        let place = try await DownloadPlace()
        for worker in ["HttpDownloadWorker", "ParallelHttpDownloadWorker"] {
            let request = TaskRequest(workerClassName: worker, inputJSON: Self.texts[index])
            do {
                let answer = try await place.scheduler.enqueue(request)
                guard case .rejectedBySystem = answer else {
                    Issue.record("\(worker): \(answer)")
                    continue
                }
            } catch is EnqueueError {
                // Text that is not JSON is never stored.
            }
        }
    }

    static let spellings = ["MD5", "md5", "SHA1", "sha-1", "SHA256", "SHA-256", "sha256", "Sha-512"]

    @Test("the ancestor's inputs are taken: any spelling of an algorithm, digits in upper case, null for absent fields")
    func ancestor() async throws {
        let place = try await DownloadPlace()
        place.server.serve(.bytes("hello".utf8), at: "/file")
        let sums = [
            "MD5": "5D41402ABC4B2A76B9719D911017C592", "SHA1": "AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D",
            "SHA256": "2CF24DBA5FB0A30E26E83B2AC5B9E29E1B161E5C1FA7425E73043362938B9824",
            "SHA512":
                "9B71D224BD62F3785D96D46AD3EA3D73319BFBC2890CAADAE2DFF72519673CA7"
                + "2323C3D99BA5C11D7C7ACC6E14B8C5DA0C4663475C2E5C3ADEF46F73BCDEC043",
        ]
        for worker in ["HttpDownloadWorker", "ParallelHttpDownloadWorker"] {
            for spelling in Self.spellings {
                let sum = try #require(sums[spelling.uppercased().replacing("-", with: "")])
                let json = #"""
                    {"url":"\#(place.url)","savePath":"\#(place.target)","headers":null,"timeoutMs":null,"maxBytes":null,
                    "onDuplicate":null,"resumable":null,"numChunks":null,"skipExisting":null,"unknown":[{}],
                    "expectedChecksum":"\#(sum)","checksumAlgorithm":"\#(spelling)"}
                    """#
                let name = "dev.brewkits.kmpworkmanager.workers.builtins." + worker
                let event = try await place.end(
                    of: TaskRequest(workerClassName: name, inputJSON: json), id: "\(worker) \(spelling)")
                #expect(event.success, "\(spelling): \(event.message ?? "")")
            }
        }
        #expect(place.content == Array("hello".utf8))
        #expect(place.partials.isEmpty)
    }

    @Test("an input is the same after it was stored")
    func roundTrip() throws {
        var single = HttpDownloadWorker.Input(url: "https://example.com/f", savePath: "/tmp/f")
        single.isResumable = false
        single.maxBytes = 7
        single.checksum = FileChecksum(.md5, hex: String(repeating: "A", count: 32))
        single.onDuplicate = .rename
        single.fileMode = FileMode(0o640)
        single.options.headers = ["A": "b"]
        single.options.timeout = .seconds(3)
        #expect(try JSONDecoder().decode(HttpDownloadWorker.Input.self, from: Data(single.inputJSON.utf8)) == single)
        var parallel = ParallelHttpDownloadWorker.Input(url: "https://example.com/f", savePath: "/tmp/f")
        parallel.numChunks = 16
        parallel.skipsExisting = true
        parallel.checksum = FileChecksum(.sha512, hex: String(repeating: "0", count: 128))
        parallel.fileMode = FileMode(0o600)
        #expect(
            try JSONDecoder().decode(ParallelHttpDownloadWorker.Input.self, from: Data(parallel.inputJSON.utf8))
                == parallel)
    }
}
