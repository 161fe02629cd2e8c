import BackgroundWorkAgent

// Hosts start every agent with `agent` as its first argument.
var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "agent" { arguments.removeFirst() }
BackgroundWorkAgent.runCommand(arguments: arguments)
