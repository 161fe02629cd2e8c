/// The tables that state moves between, with their statements. Lives on its connection's queue.
final class WorkTables {
    let work: WorkTable
    let due: DueTable
    let runs: RunTable
    let parked: ParkedTable
    let carried: CarriedTable
    let events: EventTable
    let chains: ChainTables

    init(connection: SQLiteConnection) {
        work = WorkTable(connection: connection)
        due = DueTable(connection: connection)
        runs = RunTable(connection: connection)
        parked = ParkedTable(connection: connection)
        carried = CarriedTable(connection: connection)
        events = EventTable(connection: connection)
        chains = ChainTables(connection: connection)
    }
}
