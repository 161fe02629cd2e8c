/// libcurl is missing or not usable. The description says what to install.
struct CurlMissingError: Error, CustomStringConvertible {
    var description: String
}
