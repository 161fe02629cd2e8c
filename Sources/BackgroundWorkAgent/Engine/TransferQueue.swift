import BackgroundWorkModel
import BackgroundWorkTransfers

/// Which of the waiting transfers may run: the most urgent first, then first come, first served, within limits overall
/// and for each host and session. Pure.
///
/// Transfers of one host and session wait in one line, so that the cost of a check depends on the number of nonempty
/// lines, not on the number of transfers.
struct TransferQueue: Sendable {
    struct Line: Hashable, Sendable {
        var host: String
        var session: String
    }

    var limits: TransferLimits { didSet { hasChanged = true } }
    private var waiting: [Line: WaitingLine] = [:]
    private var places: [Int64: (line: Line, place: WaitingLine.Place)] = [:]
    private var running: [Int64: Line] = [:]
    private var perHost: [String: Int] = [:]
    private var perSession: [String: Int] = [:]
    private var hasChanged = false

    init(limits: TransferLimits = .init()) { self.limits = limits }

    mutating func add(task: Int64, line: Line, priority: WorkPriority) {
        let place = WaitingLine.Place(urgency: priority.rawValue, task: task)
        places[task] = (line, place)
        waiting[line, default: WaitingLine()].insert(place)
        hasChanged = true
    }

    /// Removes a running or waiting transfer; does nothing for others.
    mutating func remove(task: Int64) {
        if let line = running.removeValue(forKey: task) {
            perHost.decrement(line.host)
            perSession.decrement(line.session)
            hasChanged = true
        } else if let (line, place) = places.removeValue(forKey: task) {
            waiting[line]?.remove(place)
            if waiting[line]?.isEmpty == true { waiting[line] = nil }
        }
    }

    /// Moves every transfer for which there is a free slot to the running ones, and returns them in order.
    mutating func takeStartable() -> [Int64] {
        guard hasChanged else { return [] }
        hasChanged = false
        var started: [Int64] = []
        while running.count < limits.overall, let (line, task) = next() {
            waiting[line]?.removeFirst()
            if waiting[line]?.isEmpty == true { waiting[line] = nil }
            places[task] = nil
            running[task] = line
            perHost[line.host, default: 0] += 1
            perSession[line.session, default: 0] += 1
            started.append(task)
        }
        return started
    }

    private func next() -> (line: Line, task: Int64)? {
        var best: (line: Line, place: WaitingLine.Place)?
        for (line, places) in waiting {
            guard perHost[line.host, default: 0] < limits.perHost,
                perSession[line.session, default: 0] < limits.perSession, let place = places.first
            else { continue }
            if best.map({ place < $0.place }) ?? true { best = (line, place) }
        }
        return best.map { ($0.line, $0.place.task) }
    }
}

extension [String: Int] {
    fileprivate mutating func decrement(_ key: String) {
        guard let count = self[key] else { return }
        self[key] = count > 1 ? count - 1 : nil
    }
}

/// Transfers that wait for the same slots, in order. Appending the newest and removing the first, the most frequent
/// operations, take constant time.
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

    /// The index of this element, or the one at which it would be inserted.
    private func index(of place: Place) -> Int {
        var (low, high) = (head, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
