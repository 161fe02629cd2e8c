/// The tables that state moves between, with their statements. Lives on its connection's queue.
final class WorkTables: DeferredRows {
    let work: WorkTable
    let due: DueTable
    let runs: RunTable
    let parked: ParkedTable
    let carried: CarriedTable
    let events: EventTable
    let chains: ChainTables
    let tags: TagTable
    let subscribers: SubscriberTable

    init(connection: SQLiteConnection) {
        work = WorkTable(connection: connection)
        due = DueTable(connection: connection)
        runs = RunTable(connection: connection)
        parked = ParkedTable(connection: connection)
        carried = CarriedTable(connection: connection)
        events = EventTable(connection: connection)
        chains = ChainTables(connection: connection)
        tags = TagTable(connection: connection)
        subscribers = SubscriberTable(connection: connection)
        connection.deferredRows = self
    }

    func write() throws {
        try due.writeDeferred()
        try runs.writeDeferred()
        try events.writeDeferred()
        try tags.writeDeferred()
        try subscribers.writeDeferred()
    }

    func discard() {
        due.discardDeferred()
        runs.discardDeferred()
        events.discardDeferred()
        tags.discardDeferred()
        subscribers.discardDeferred()
    }
}
