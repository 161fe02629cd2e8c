/// Divides a limit among transfers: equally, except that what one may not use by its own limit goes to the others. Pure.
enum BandwidthShares {
    /// - Parameter own: Each transfer's own limit in bytes a second; `nil` for none.
    /// - Returns: As many limits, in the same order.
    static func divide(_ total: Int64?, among own: [Int64?]) -> [Int64?] {
        guard let total, !own.isEmpty else { return own }
        var shares = [Int64?](repeating: nil, count: own.count)
        var (left, open) = (max(total, Int64(own.count)), own.count)
        for index in own.indices.sorted(by: { own[$0] ?? .max < own[$1] ?? .max }) {
            let share = max(1, min(own[index] ?? .max, left / Int64(open)))
            shares[index] = share
            left -= share
            open -= 1
        }
        return shares
    }
}
