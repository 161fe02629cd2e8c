import BackgroundWorkFiles

/// The name of the unit that runs the agent of a directory: the path, escaped as `systemd-escape --path` does.
enum UnitName {
    private static let prefix = "bgwork-agent-"
    private static let suffix = ".service"
    /// A file name has at most 255 bytes, of which the temporary file needs four.
    private static let longest = 251

    static func of(directory: String) throws -> String {
        let path = directory.split(separator: "/").joined(separator: "/")
        let name = prefix + escaped(path) + suffix
        guard name.utf8.count > longest else { return name }
        // Too long for a file name: the digest distinguishes it from paths with the same beginning.
        let digest = try FileDigest.sha256(of: Array(path.utf8))
        let room = longest - prefix.utf8.count - suffix.utf8.count - digest.utf8.count - 1
        return "\(prefix)\(escaped(path).prefix(room))-\(digest)\(suffix)"
    }

    /// systemd.unit(5), "String escaping for inclusion in unit names".
    private static func escaped(_ path: String) -> String {
        if path.isEmpty { return "-" }
        var result = ""
        for (index, byte) in path.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "/"): result += "-"
            case UInt8(ascii: ".") where index == 0: result += #"\x2e"#
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "."):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += #"\x"# + hexadecimal(byte)
            }
        }
        return result
    }

    /// Two digits.
    static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count < 2 ? "0" + digits : digits
    }
}

/// How text is quoted in a systemd unit so that it is read back unchanged (systemd.syntax(7), systemd.service(5)).
enum UnitQuoting {
    /// The program of `ExecStart`: specifiers are expanded in it, variables are not.
    static func program(_ path: String) -> String { quoted(escapingSpecifiers(path)) }

    /// An argument of `ExecStart`: a dollar sign would start a variable.
    static func argument(_ text: String) -> String {
        quoted(escapingSpecifiers(text).replacing("$", with: "$$"))
    }

    /// The value of a setting that takes the rest of its line.
    static func line(_ text: String) -> String { escapingSpecifiers(text.printable) }

    private static func escapingSpecifiers(_ text: String) -> String { text.replacing("%", with: "%%") }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "\"": result += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                result += "\\x" + UnitName.hexadecimal(UInt8(scalar.value))
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
