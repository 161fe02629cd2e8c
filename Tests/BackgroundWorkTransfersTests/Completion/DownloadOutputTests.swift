import BackgroundWorkFiles
import BackgroundWorkModel
import Testing

@testable import BackgroundWorkTransfers

@Suite("The output for a file that was moved to its target")
struct DownloadOutputTests {
    private static func move(to target: String, particulars: String?) -> FileMove {
        FileMove(
            temporaryPath: "/staging/1.part", targetPath: target,
            identity: FileIdentity(device: 1, inode: 2, bytes: 3), wantedPath: "/folder/file", particulars: particulars)
    }

    @Test("is the text recorded when the move began, unchanged, if the file has the requested name")
    func wantedName() throws {
        let noted = #"{"bytes":3,"savePath":"/folder/file","statusCode":200}"#
        let move = Self.move(to: "/folder/file", particulars: noted)
        #expect(try DownloadOutput.text(of: move, isSkipped: false) == noted)
        #expect(
            try DownloadOutput.text(of: move, isSkipped: true)
                == #"{"bytes":3,"savePath":"/folder/file","skipped":true,"statusCode":200}"#)
    }

    @Test("has the actual name if it differs, and the known values if nothing was recorded")
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
