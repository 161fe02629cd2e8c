/// First in, first out. Each operation takes constant time, averaged.
struct FIFO<Element: Sendable>: Sendable {
    private var storage: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == storage.count }
    var count: Int { storage.count - head }
    var first: Element? { head < storage.count ? storage[head] : nil }
    var elements: [Element] { storage[head...].compactMap { $0 } }

    mutating func append(_ element: Element) { storage.append(element) }

    mutating func popFirst() -> Element? {
        guard head < storage.count else { return nil }
        defer {
            storage[head] = nil
            head += 1
            if head == storage.count {
                storage.removeAll(keepingCapacity: head < 1024)
                head = 0
            } else if head > 1024, head > storage.count / 2 {
                storage.removeFirst(head)
                head = 0
            }
        }
        return storage[head]
    }
}
