import BackgroundWorkSystem

/// Swift strings as the null-terminated array that `posix_spawn` takes.
package enum CStrings {
    package static func with<Value>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) throws -> Value
    ) rethrows -> Value {
        let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return try copies.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("an array that holds nil is not empty") }
            return try body(base)
        }
    }
}
