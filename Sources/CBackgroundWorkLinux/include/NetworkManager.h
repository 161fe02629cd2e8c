#ifndef CBACKGROUNDWORK_NETWORK_MANAGER_H
#define CBACKGROUNDWORK_NETWORK_MANAGER_H

#include <stdint.h>

/// A connection to the system's D-Bus that asks NetworkManager whether the network is metered. It uses libsystemd's
/// sd-bus, loaded when the first connection is made, so nothing links to it. Not for two threads at once.
struct bgw_network_manager;

/// Connects to the bus at `address`, or for NULL to the system's, and with `listen` asks for the signals of a change.
/// NULL on failure, with `failure` the error number: ELIBACC when there is no usable libsystemd.so.0.
struct bgw_network_manager *bgw_network_manager_connect(const char *address, int listen, int *failure);

/// The descriptor that becomes readable when a message has arrived.
int bgw_network_manager_descriptor(struct bgw_network_manager *connection);

/// The property `Metered` (NMMetered: 0 unknown, 1 yes, 2 no, 3 guessed yes, 4 guessed no), or a negative error number;
/// -ENXIO or -EHOSTUNREACH when NetworkManager does not run. Blocks for two seconds at most; never starts a service.
int bgw_network_manager_metered(struct bgw_network_manager *connection);

/// Processes received messages: 1 if a property of NetworkManager has changed or it started or ended, 0 if not, or the
/// negative error number that the connection has ended with.
int bgw_network_manager_process(struct bgw_network_manager *connection);

void bgw_network_manager_close(struct bgw_network_manager *connection);

#endif
