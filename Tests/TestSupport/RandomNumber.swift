/// Numbers of all sizes, the largest and smallest among them.
package enum RandomNumber {
    package static func any<Value: FixedWidthInteger>(using generator: inout SeededGenerator) -> Value {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: .min
        case 1: .max
        case 2: 0
        case 3: Value(Int8.random(in: 0...100, using: &generator))
        default: Value(truncatingIfNeeded: Int64.random(in: .min ... .max, using: &generator))
        }
    }

    package static func maybe<Value: FixedWidthInteger>(using generator: inout SeededGenerator) -> Value? {
        Bool.random(using: &generator) ? any(using: &generator) : nil
    }
}
