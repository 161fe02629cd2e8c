import BackgroundWorkSystem
import CBackgroundWorkLinux
import Testing

@Suite("Loading a library of the system")
struct SharedLibraryTests {
    private struct Outcome: Equatable {
        var answer: Int32
        /// For each function, whether there is an address.
        var found: [Bool]
        var message: String
    }

    private func load(_ file: String, _ functions: [(name: String, isOptional: Bool)]) -> Outcome {
        let texts = ([file, "libexample", "7", "libexample7"] + functions.map(\.name)).map { strdup($0) }
        defer { for text in texts { free(text) } }
        let addresses = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: functions.count)
        defer { addresses.deallocate() }
        // Not NULL, so that it is seen which are reset.
        addresses.initialize(repeating: UnsafeMutableRawPointer(addresses), count: functions.count)
        let table = functions.indices.map {
            bgw_function(
                name: texts[4 + $0], address: addresses + $0, is_optional: functions[$0].isOptional ? 1 : 0)
        }
        var failure = [CChar](repeating: 0, count: 512)
        let answer = table.withUnsafeBufferPointer { table in
            var library = bgw_library(
                name: texts[1], file: texts[0], version: texts[2], package: texts[3], functions: table.baseAddress,
                count: table.count)
            return bgw_library_load(&library, &failure, failure.count)
        }
        let message = String(decoding: failure.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return Outcome(
            answer: answer, found: UnsafeBufferPointer(start: addresses, count: functions.count).map { $0 != nil },
            message: message)
    }

    @Test("the functions of an installed library are found, and those that it may lack are missing")
    func found() {
        let outcome = load("libc.so.6", [("getpid", false), ("no_such_function", true), ("getppid", true)])
        #expect(outcome == Outcome(answer: 0, found: [true, false, true], message: ""))
    }

    @Test("a library that lacks a function is not used, and the message names the function and the package")
    func missingFunction() {
        let outcome = load("libc.so.6", [("getpid", false), ("no_such_function", false), ("getppid", false)])
        #expect(outcome.answer == -1)
        #expect(outcome.found == [false, false, false])
        #expect(
            outcome.message == "the installed libexample has no no_such_function; version 7 or later is needed "
                + "(Debian and Ubuntu: apt-get install libexample7)")
    }

    @Test("a missing library is reported with the system's reason and the package")
    func missingLibrary() {
        let outcome = load("libno-such-library.so.1", [("getpid", false)])
        #expect(outcome.answer == -1)
        #expect(outcome.found == [false])
        #expect(outcome.message.hasPrefix("libexample could not be loaded (libno-such-library.so.1: "))
        #expect(outcome.message.hasSuffix("; install it (Debian and Ubuntu: apt-get install libexample7)"))
    }
}
