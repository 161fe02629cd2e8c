import BackgroundWorkModel

/// What the items and owners of an interleaving must be like. Which owner claims an item is up to the code; that it
/// may, and that nobody leaves it lying, is up to the model.
struct InterleavingModel {
    enum Place: Hashable {
        case absent, pending
        case held(by: Int)
        case ended(WorkOutcome)
    }

    /// An item in the hands of a runner, whether or not it is still its own in the store.
    struct Hand: Hashable {
        var owner: Int
        var hasBegun = false
    }

    struct Item: Hashable {
        var isIdempotent: Bool
        var place = Place.absent
        var hand: Hand?
        /// It had started when its owner died.
        var wasCutOff = false
        var events = 0
    }

    enum Life: Hashable { case alive, stopped, released, dead, reclaimed }

    var items: [Item]
    var lives: [Life]
    var isPaused = false
    let slots: Int
    let limit: Int?

    init(idempotent: [Bool], owners: Int, slots: Int, limit: Int?) {
        items = idempotent.map { Item(isIdempotent: $0) }
        lives = Array(repeating: .alive, count: owners)
        self.slots = slots
        self.limit = limit
    }

    // MARK: Actions

    func isPossible(_ action: InterleavedAction) -> Bool {
        switch action {
        case .enqueue(let item, let owner), .enqueueAndCancel(let item, let owner):
            lives[owner] == .alive && items[item].place == .absent
        case .cancel(let item, let owner):
            lives[owner] == .alive && items[item].place != .absent
        case .finish(let item): items[item].hand?.hasBegun ?? false
        case .look(let owner), .readNews(let owner), .stop(let owner), .die(let owner): lives[owner] == .alive
        case .pause(let owner): lives[owner] == .alive && !isPaused
        case .resume(let owner): lives[owner] == .alive && isPaused
        case .release(let owner): lives[owner] == .stopped
        case .reclaim(let owner, let other): lives[owner] == .dead && lives[other] == .alive
        }
    }

    mutating func apply(_ action: InterleavedAction) {
        switch action {
        case .enqueue(let item, _): items[item].place = .pending
        case .enqueueAndCancel(let item, _): end(item, .cancelled)
        case .cancel(let item, let owner):
            if items[item].hasEnded { return }
            end(item, .cancelled)
            if items[item].hand?.owner == owner { items[item].hand = nil }
        case .finish(let item):
            if items[item].isInItsOwnersHand { end(item, .succeeded) }
            items[item].hand = nil
        case .look: break
        case .readNews(let owner):
            for item in items.indices where items[item].hand?.owner == owner && items[item].hasEnded {
                items[item].hand = nil
            }
            if isPaused { giveBack(by: owner) }
        case .pause(let owner):
            isPaused = true
            giveBack(by: owner)
        case .resume: isPaused = false
        case .stop(let owner):
            lives[owner] = .stopped
            for item in items.indices where items[item].hand?.owner == owner {
                let hasReturned = items[item].isInItsOwnersHand && items[item].hand?.hasBegun ?? false
                if hasReturned, items[item].isIdempotent { items[item].place = .pending }
                // Its worker breaks off.
                if hasReturned, !items[item].isIdempotent { end(item, .failed) }
                items[item].hand = nil
            }
        case .release(let owner):
            lives[owner] = .released
            for item in items.indices where items[item].place == .held(by: owner) { items[item].place = .pending }
        case .die(let owner):
            lives[owner] = .dead
            for item in items.indices where items[item].hand?.owner == owner {
                items[item].wasCutOff = items[item].hand?.hasBegun ?? false
                items[item].hand = nil
            }
        case .reclaim(let owner, _):
            lives[owner] = .reclaimed
            for item in items.indices where items[item].place == .held(by: owner) {
                if items[item].wasCutOff && !items[item].isIdempotent {
                    end(item, .failed)
                } else {
                    items[item].place = .pending
                }
            }
        }
    }

    private mutating func end(_ item: Int, _ outcome: WorkOutcome) {
        items[item].place = .ended(outcome)
        items[item].events += 1
    }

    /// A pause takes work that has not started from its runner.
    private mutating func giveBack(by owner: Int) {
        for item in items.indices where items[item].hand == Hand(owner: owner) {
            if items[item].isInItsOwnersHand { items[item].place = .pending }
            items[item].hand = nil
        }
    }

    // MARK: What the runners do by themselves

    /// Returns what is wrong with the claim.
    mutating func claim(_ item: Int, by owner: Int) -> String? {
        defer {
            items[item].place = .held(by: owner)
            items[item].hand = Hand(owner: owner)
            items[item].wasCutOff = false
        }
        if lives[owner] != .alive { return "\(owner) claimed \(item) when it was \(lives[owner])" }
        if items[item].place != .pending { return "\(owner) claimed \(item), which was \(items[item].place)" }
        if isPaused { return "\(owner) claimed \(item) from a paused queue" }
        if leftByOthers(to: owner) <= 0 { return "\(owner) claimed \(item) when others used up the limit" }
        if !items[item].isIdempotent, isFull { return "\(owner) claimed \(item) past the limit" }
        if !items[item].isIdempotent, inHands(of: owner) >= slots {
            return "\(owner) claimed \(item), which must not run twice, without a free slot"
        }
        return nil
    }

    /// Returns what is wrong with the start.
    mutating func begin(_ item: Int, by owner: Int) -> String? {
        let found = items[item]
        items[item].hand?.hasBegun = true
        if found.hand != Hand(owner: owner) {
            return "\(owner) began \(item), which was in the hand of \(String(describing: found.hand))"
        }
        if found.place != .held(by: owner) { return "\(owner) began \(item), which was \(found.place)" }
        if isPaused { return "\(owner) began \(item) of a paused queue" }
        if let limit, items.count(where: \.runs) > limit { return "\(owner) began \(item) past the limit" }
        return nil
    }

    func inHands(of owner: Int) -> Int { items.filter { $0.hand?.owner == owner }.count }

    private var isFull: Bool {
        guard let limit else { return false }
        return items.filter(\.isHeld).count >= limit
    }

    /// How many items the others leave of the limit.
    private func leftByOthers(to owner: Int) -> Int {
        guard let limit else { return .max }
        return limit - items.count { $0.isHeld && $0.place != .held(by: owner) }
    }

    /// Something waits that any owner with a free slot must have claimed.
    func mustClaim(_ owner: Int) -> Bool {
        lives[owner] == .alive && inHands(of: owner) < slots && !isPaused && !isFull
            && items.contains { $0.place == .pending }
    }

    /// The owner has claimed work that it must have started.
    func mustBegin(_ owner: Int) -> Bool {
        let hand = items.compactMap(\.hand).filter { $0.owner == owner }
        let begun = hand.count(where: \.hasBegun)
        return begun < hand.count && begun < min(slots, leftByOthers(to: owner))
    }
}

extension InterleavingModel.Item {
    var hasEnded: Bool {
        if case .ended = place { return true }
        return false
    }

    var isHeld: Bool {
        if case .held = place { return true }
        return false
    }

    /// Its worker runs, for what it stands in the store as running.
    var runs: Bool { isInItsOwnersHand && hand?.hasBegun == true }

    var isInItsOwnersHand: Bool { hand.map { place == .held(by: $0.owner) } ?? false }
}
