/// Transfers that wait for the same thing, in the order of their turn. Adding the newest and taking the first, which is
/// what happens most, cost the same however many there are.
struct WaitingLine: Sendable {
    struct Place: Hashable, Comparable, Sendable {
        /// Higher ones go first.
        var urgency: Int
        var task: Int64

        static func < (lhs: Place, rhs: Place) -> Bool { (-lhs.urgency, lhs.task) < (-rhs.urgency, rhs.task) }
    }

    private var places: [Place] = []
    private var head = 0

    var isEmpty: Bool { head == places.count }
    var first: Place? { isEmpty ? nil : places[head] }

    mutating func insert(_ place: Place) {
        if let last = places.last, head < places.count, place < last {
            places.insert(place, at: index(of: place))
        } else {
            places.append(place)
        }
    }

    mutating func removeFirst() {
        guard !isEmpty else { return }
        head += 1
        if head > 64, head * 2 > places.count {
            places.removeFirst(head)
            head = 0
        }
    }

    mutating func remove(_ place: Place) {
        let index = index(of: place)
        if index < places.count, places[index] == place { places.remove(at: index) }
    }

    /// Where it stands, or would.
    private func index(of place: Place) -> Int {
        var (low, high) = (head, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
