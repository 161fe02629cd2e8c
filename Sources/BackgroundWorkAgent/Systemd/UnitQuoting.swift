/// How text is written in a systemd unit so that it arrives as it is (systemd.syntax(7), systemd.service(5)).
enum UnitQuoting {
    /// The program of `ExecStart`: specifiers are expanded in it, variables are not.
    static func program(_ path: String) -> String { quoted(escapingSpecifiers(path)) }

    /// An argument of `ExecStart`: a dollar sign would begin a variable.
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
