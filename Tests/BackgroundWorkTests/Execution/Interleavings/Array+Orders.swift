extension Array {
    /// Every order of the elements.
    var orders: [[Element]] {
        if isEmpty { return [[]] }
        return indices.flatMap { index in
            var rest = self
            let first = rest.remove(at: index)
            return rest.orders.map { [first] + $0 }
        }
    }
}
