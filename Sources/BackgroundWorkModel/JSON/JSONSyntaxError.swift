/// A text is not JSON. The description says what was expected, and the byte at which it was missing.
package struct JSONSyntaxError: Error, Hashable, CustomStringConvertible {
    package let description: String
}
