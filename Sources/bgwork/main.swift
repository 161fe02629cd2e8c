import BackgroundWork
import BackgroundWorkAgent
import Foundation

let usage = """
    usage: bgwork demo [--url URL --save-path PATH [--sha256 HEX]] [--no-kill | --kill-agent] [--keep]
           bgwork transfers list | watch [--directory DIR] [--json]
           bgwork transfers add URL [PATH] [--directory DIR] [options]
           bgwork transfers pause | resume | cancel ID… [--directory DIR]
           bgwork agent --directory DIR [--idle-exit SECONDS | --stay]
           bgwork agent --directory DIR --install-unit [--print] | --remove-unit

    demo    downloads a file in a chain of work, kills the host on the way, and checks what came of it
              --url URL --save-path PATH   your own file in place of one that the demo serves
              --sha256 HEX                 what that file must have
              --no-kill                    lets the host live
              --kill-agent                 kills the agent as well; the download resumes by range
              --keep                       keeps the demo's folder for inspection
    transfers  shows and controls the transfers of one scheduler's directory; without --directory those in
            $XDG_DATA_HOME/bgwork/transfers or ~/.local/share/bgwork/transfers. An ID is that of the work, or the number
            that list shows
              list    a table, or with --json an array
              watch   bars until all are done; lines where there is no terminal; with --json an object for each report
              add     downloads URL to the file PATH, or into the folder PATH/; it continues when this program ends
                --sha256 HEX          what the file must have
                --header "NAME: VALUE"  sent with the request; several times if need be
                --connections N       at most so many, 1 to 16
                --limit BYTES         at most so many a second
                --name-from-server    PATH is a folder, and the server names the file
                --mirror URL          where to turn when URL fails; several times if need be
                --upload FILE [--method PUT|POST]  sends FILE to URL instead; without PATH
                --group G, --priority low|normal|high|critical, --id ID
                --allow-private       this transfer's server may be on this machine or in a private network
                --allow-host HOST     may be given several times; this transfer may connect to HOST, whatever its address
                                      is: a name, *.name, an address or a network, each alone or with :PORT
                --wait                stays until the end, and shows how far it is
    agent   serves the transfers of one scheduler's directory and launches its host when work is due; hosts start it by
            themselves
              --install-unit   writes a systemd user unit, so that it runs from login or boot on; --print only shows it
              --remove-unit    deletes that unit

    """

BackgroundWorkAgent.runIfRequested()

do {
    var arguments = Arguments(CommandLine.arguments.dropFirst(2))
    if arguments.flag("--help") || arguments.flag("-h") {
        print(usage, terminator: "")
        exit(0)
    }
    switch CommandLine.arguments.dropFirst().first {
    case "agent": BackgroundWorkAgent.runCommand(arguments: Array(CommandLine.arguments.dropFirst(2)))
    case "demo":
        let options = try DemoOptions(&arguments)
        let holds = try await Demo(options).run()
        StopSignals.endIfStopped()
        exit(holds ? 0 : 1)
    case "demo-host":
        guard let directory = try arguments.value("--directory") else {
            throw UsageError(description: "demo-host needs --directory")
        }
        let order = try DownloadOrder(&arguments)
        try arguments.finish()
        try await ExampleHost.main(directory: directory, order: order)
    case "transfers": exit(try await TransfersCommand.run(&arguments))
    case "--help", "-h", "help": print(usage, terminator: "")
    case let command: throw UsageError(description: command.map { "there is no command \"\($0)\"" } ?? "no command")
    }
} catch let error as UsageError {
    FileHandle.standardError.write(Data("bgwork: \(error)\n\(usage)".utf8))
    exit(64)
} catch {
    FileHandle.standardError.write(Data("bgwork: \(error)\n".utf8))
    exit(1)
}
