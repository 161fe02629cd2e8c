/// Orders that were driven. Two that differ only in when something was tried that was not possible are the same.
struct SeenOrders {
    private var impossible: [[InterleavedAction]: Set<InterleavedAction>] = [:]
    private var driven: Set<[InterleavedAction]> = []

    var count: Int { driven.count }

    func contains(_ order: [InterleavedAction]) -> Bool {
        var done: [InterleavedAction] = []
        for action in order where !(impossible[done]?.contains(action) ?? false) { done.append(action) }
        return driven.contains(done)
    }

    /// - Parameter done: what of it was possible, in the same order.
    mutating func add(_ order: [InterleavedAction], done: [InterleavedAction]) {
        var next = 0
        for action in order {
            if next < done.count, done[next] == action {
                next += 1
            } else {
                impossible[Array(done[..<next]), default: []].insert(action)
            }
        }
        driven.insert(done)
    }
}
