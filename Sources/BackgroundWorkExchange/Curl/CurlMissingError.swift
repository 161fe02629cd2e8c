/// libcurl is missing or not usable. The description says what to install.
package struct CurlMissingError: Error, CustomStringConvertible {
    package var description: String
}
