/// First in, first out. Each operation takes constant time, averaged.
package struct FIFO<Element: Sendable>: Sendable {
    private var storage: [Element?] = []
    private var head = 0

    package init() {}

    package var isEmpty: Bool { head == storage.count }
    package var count: Int { storage.count - head }
    package var first: Element? { head < storage.count ? storage[head] : nil }
    package var elements: [Element] { storage[head...].compactMap { $0 } }

    package mutating func append(_ element: Element) { storage.append(element) }

    package mutating func popFirst() -> Element? {
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
