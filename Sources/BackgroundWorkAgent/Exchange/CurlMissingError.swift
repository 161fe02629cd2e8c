/// libcurl is not there, or not usable. The description says what to install.
struct CurlMissingError: Error, CustomStringConvertible {
    var description: String
}
