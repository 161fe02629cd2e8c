import BackgroundWorkModel

/// When each of many transfers is to be checked again. A binary heap; replaced and removed entries stay in it until
/// they reach the top.
struct DueTimes: Sendable {
    private struct Entry: Sendable {
        var due: WallTime
        var task: Int64
    }

    private var heap: [Entry] = []
    private var dues: [Int64: WallTime] = [:]

    /// The earliest one.
    var next: WallTime? { heap.first?.due }

    /// `nil` removes the task.
    mutating func set(_ due: WallTime?, for task: Int64) {
        guard dues[task] != due else { return }
        dues[task] = due
        if let due {
            heap.append(Entry(due: due, task: task))
            rise(from: heap.count - 1)
        }
        dropOutdated()
    }

    /// Removes and returns everything that is due.
    mutating func take(now: WallTime) -> [Int64] {
        var tasks: [Int64] = []
        while let first = heap.first, first.due <= now {
            removeFirst()
            guard dues[first.task] == first.due else { continue }
            dues[first.task] = nil
            tasks.append(first.task)
        }
        dropOutdated()
        return tasks
    }

    private mutating func dropOutdated() {
        while let first = heap.first, dues[first.task] != first.due { removeFirst() }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink(from: 0)
    }

    private mutating func rise(from index: Int) {
        var index = index
        while index > 0, heap[index].due < heap[(index - 1) / 2].due {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink(from index: Int) {
        var index = index
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < heap.count }
            guard let least = children.min(by: { heap[$0].due < heap[$1].due }), heap[least].due < heap[index].due
            else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
