import BackgroundWorkFiles
import BackgroundWorkModel
import Testing

@testable import BackgroundWorkTransfers

@Suite("What is said of a file that was moved to its place")
struct DownloadOutputTests {
    private static func move(to target: String, particulars: String?) -> FileMove {
        FileMove(
            temporaryPath: "/staging/1.part", targetPath: target,
            identity: FileIdentity(device: 1, inode: 2, bytes: 3), wantedPath: "/folder/file", particulars: particulars)
    }

    @Test("is what was noted when its move began, word for word, if it has got the name that was asked for")
    func wantedName() throws {
        let noted = #"{"bytes":3,"savePath":"/folder/file","statusCode":200}"#
        let move = Self.move(to: "/folder/file", particulars: noted)
        #expect(try DownloadOutput.text(of: move, isSkipped: false) == noted)
        #expect(
            try DownloadOutput.text(of: move, isSkipped: true)
                == #"{"bytes":3,"savePath":"/folder/file","skipped":true,"statusCode":200}"#)
    }

    @Test("names the file's own name if it has got another one, and what is known if nothing was noted")
    func otherName() throws {
        let noted = #"{"bytes":3,"savePath":"/folder/file","statusCode":200}"#
        #expect(
            try DownloadOutput.text(of: Self.move(to: "/folder/file_1", particulars: noted), isSkipped: false)
                == #"{"bytes":3,"savePath":"/folder/file_1","statusCode":200}"#)
        #expect(
            try DownloadOutput.text(of: Self.move(to: "/folder/file", particulars: nil), isSkipped: false)
                == #"{"bytes":3,"savePath":"/folder/file"}"#)
    }
}
