import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkTransfers

/// The outputs of the built-in workers as JSON.
struct TransferOutputTests {
    private func decoded<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    @Test("a download's output counts its requests, and says so in JSON")
    func download() throws {
        var output = DownloadOutput(savePath: "/f", bytes: 3)
        #expect(output.duration == nil && !output.wasSkipped && output.requests == nil)
        output.requests = 2
        output.durationMs = 1500
        output.skipped = true
        let json = #"{"bytes":3,"durationMs":1500,"requests":2,"savePath":"/f","skipped":true}"#
        #expect(try output.encoded() == json)
        #expect(try decoded(DownloadOutput.self, json) == output)
        #expect(output.duration == .milliseconds(1500) && output.wasSkipped)
    }

    @Test("an upload's output counts its requests, and says so in JSON")
    func upload() throws {
        var output = UploadOutput(filePath: "/f", bytes: 3, statusCode: 201, url: "https://h/")
        #expect(output.duration == nil)
        output.requests = 4
        output.durationMs = 12
        let json =
            #"{"bytes":3,"durationMs":12,"filePath":"/f","requests":4,"statusCode":201,"url":"https://h/"}"#
        #expect(try output.encoded() == json)
        #expect(try decoded(UploadOutput.self, json) == output)
        #expect(output.duration == .milliseconds(12))
    }

    @Test("the number is also read under the name of earlier versions, and the current name has precedence")
    func earlierName() throws {
        let download = #"{"savePath":"/f","bytes":3,"attempts":2}"#
        #expect(try decoded(DownloadOutput.self, download).requests == 2)
        #expect(try FastJSON.value(DownloadOutput.self, from: download).requests == 2)
        let both = #"{"savePath":"/f","bytes":3,"attempts":2,"requests":5}"#
        #expect(try decoded(DownloadOutput.self, both).requests == 5)
        #expect(try FastJSON.value(DownloadOutput.self, from: both).requests == 5)
        let upload = #"{"filePath":"/f","bytes":3,"statusCode":200,"url":"u","attempts":7}"#
        #expect(try decoded(UploadOutput.self, upload).requests == 7)
    }
}
