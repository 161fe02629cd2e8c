extension Int64 {
    /// The quotient rounded down, where `/` rounds towards zero: what is before 1970 belongs to the day it is in.
    func flooredQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
