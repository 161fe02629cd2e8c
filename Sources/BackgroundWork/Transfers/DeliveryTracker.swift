/// Counts the outcomes that are being taken in, so that a shutdown can let them end.
actor DeliveryTracker {
    private var underWay = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() { underWay += 1 }

    func end() {
        underWay -= 1
        if underWay == 0 { letGo() }
    }

    /// Returns when nothing is under way, or when `letGo` is called.
    func waitUntilIdle() async {
        if underWay == 0 { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func letGo() {
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
