import Foundation

/// Standard output, written at once.
enum Terminal {
    static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
