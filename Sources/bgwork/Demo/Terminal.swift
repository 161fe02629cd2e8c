import Foundation

/// Standard output, written at once. Somebody who has closed it must not keep the demo from stopping its processes.
enum Terminal {
    static func write(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }
}
