/// A JSON text that ``HandCodable`` does not read by hand. Whether it is wrong is for the decoder to say.
package struct JSONMismatch: Error {
    package init() {}
}
