// The public names are spread over the modules below; one import provides them all.
@_exported import BackgroundWorkBuiltIns
@_exported import BackgroundWorkDevice
@_exported import BackgroundWorkFiles
@_exported import BackgroundWorkHTTP
@_exported import BackgroundWorkModel
@_exported import BackgroundWorkTransfers
