/// A JSON text that ``FastJSONCodable`` does not read by hand. Whether it is wrong is for the decoder to say.
package struct JSONMismatch: Error {
    package init() {}
}
