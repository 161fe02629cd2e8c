// Headers, authentication, TLS options, proxies, policies, clocks and conditions are those of requests.
@_exported import BackgroundWorkDevice
@_exported import BackgroundWorkHTTP
@_exported import BackgroundWorkModel
@_exported import BackgroundWorkTransfers
