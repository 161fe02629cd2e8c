#define _GNU_SOURCE
#include "NetworkManager.h"
#include "SharedLibrary.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

// Declared here, so that building needs no headers of systemd. They are part of its stable ABI.
typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct sd_bus_slot sd_bus_slot;
typedef struct sd_bus_error sd_bus_error;
typedef int (*sd_bus_message_handler_t)(sd_bus_message *, void *, sd_bus_error *);

static struct {
    int (*new)(sd_bus **);
    int (*set_address)(sd_bus *, const char *);
    int (*set_bus_client)(sd_bus *, int);
    int (*start)(sd_bus *);
    int (*open_system)(sd_bus **);
    void (*close)(sd_bus *);
    sd_bus *(*unref)(sd_bus *);
    int (*get_fd)(sd_bus *);
    int (*process)(sd_bus *, sd_bus_message **);
    int (*add_match)(sd_bus *, sd_bus_slot **, const char *, sd_bus_message_handler_t, void *);
    int (*call)(sd_bus *, sd_bus_message *, uint64_t, sd_bus_error *, sd_bus_message **);
    int (*method_call)(
        sd_bus *, sd_bus_message **, const char *, const char *, const char *, const char *);
    int (*set_auto_start)(sd_bus_message *, int);
    int (*append_basic)(sd_bus_message *, char, const void *);
    int (*enter_container)(sd_bus_message *, char, const char *);
    int (*read_basic)(sd_bus_message *, char, void *);
    sd_bus_message *(*message_unref)(sd_bus_message *);
    // From systemd 240 on; without it, waiting for the bus itself takes up to the library's 25 seconds.
    int (*set_method_call_timeout)(sd_bus *, uint64_t);
} bus;

struct bgw_network_manager {
    sd_bus *bus;
    int changed;
};

enum { TIMEOUT_MICROSECONDS = 2000000 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int loaded = 0;

static const struct bgw_function functions[] = {
    {"sd_bus_new", (void **)&bus.new},
    {"sd_bus_set_address", (void **)&bus.set_address},
    {"sd_bus_set_bus_client", (void **)&bus.set_bus_client},
    {"sd_bus_start", (void **)&bus.start},
    {"sd_bus_open_system", (void **)&bus.open_system},
    {"sd_bus_close", (void **)&bus.close},
    {"sd_bus_unref", (void **)&bus.unref},
    {"sd_bus_get_fd", (void **)&bus.get_fd},
    {"sd_bus_process", (void **)&bus.process},
    {"sd_bus_add_match", (void **)&bus.add_match},
    {"sd_bus_call", (void **)&bus.call},
    {"sd_bus_message_new_method_call", (void **)&bus.method_call},
    {"sd_bus_message_set_auto_start", (void **)&bus.set_auto_start},
    {"sd_bus_message_append_basic", (void **)&bus.append_basic},
    {"sd_bus_message_enter_container", (void **)&bus.enter_container},
    {"sd_bus_message_read_basic", (void **)&bus.read_basic},
    {"sd_bus_message_unref", (void **)&bus.message_unref},
    {"sd_bus_set_method_call_timeout", (void **)&bus.set_method_call_timeout, .is_optional = 1},
};

static const struct bgw_library library = {
    .name = "libsystemd", .file = "libsystemd.so.0", .version = "221", .package = "libsystemd0",
    .functions = functions, .count = sizeof functions / sizeof *functions};

static void load(void) { loaded = bgw_library_load(&library, NULL, 0) == 0; }

static int note_change(sd_bus_message *message, void *connection, sd_bus_error *error) {
    (void)message;
    (void)error;
    ((struct bgw_network_manager *)connection)->changed = 1;
    return 0;
}

static int listen_for_changes(struct bgw_network_manager *connection) {
    int code = bus.add_match(
        connection->bus, NULL,
        "type='signal',sender='org.freedesktop.NetworkManager',path='/org/freedesktop/NetworkManager',"
        "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',arg0='org.freedesktop.NetworkManager'",
        note_change, connection);
    if (code < 0) return code;
    return bus.add_match(
        connection->bus, NULL,
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',"
        "arg0='org.freedesktop.NetworkManager'",
        note_change, connection);
}

static int open_bus(struct bgw_network_manager *connection, const char *address) {
    if (!address) return bus.open_system(&connection->bus);
    int code = bus.new(&connection->bus);
    if (code >= 0) code = bus.set_address(connection->bus, address);
    if (code >= 0) code = bus.set_bus_client(connection->bus, 1);
    if (code >= 0) code = bus.start(connection->bus);
    return code;
}

struct bgw_network_manager *bgw_network_manager_connect(const char *address, int listen, int *failure) {
    pthread_once(&once, load);
    if (!loaded) {
        *failure = ELIBACC;
        return NULL;
    }
    struct bgw_network_manager *connection = calloc(1, sizeof *connection);
    if (!connection) {
        *failure = ENOMEM;
        return NULL;
    }
    int code = open_bus(connection, address);
    if (code >= 0 && bus.set_method_call_timeout)
        code = bus.set_method_call_timeout(connection->bus, TIMEOUT_MICROSECONDS);
    if (code >= 0 && listen) code = listen_for_changes(connection);
    if (code >= 0) return connection;
    *failure = -code;
    bgw_network_manager_close(connection);
    return NULL;
}

int bgw_network_manager_descriptor(struct bgw_network_manager *connection) { return bus.get_fd(connection->bus); }

int bgw_network_manager_metered(struct bgw_network_manager *connection) {
    sd_bus_message *call = NULL, *reply = NULL;
    uint32_t metered = 0;
    int code = bus.method_call(
        connection->bus, &call, "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager",
        "org.freedesktop.DBus.Properties", "Get");
    // A query must not start NetworkManager where it is installed but not running.
    if (code >= 0) code = bus.set_auto_start(call, 0);
    if (code >= 0) code = bus.append_basic(call, 's', "org.freedesktop.NetworkManager");
    if (code >= 0) code = bus.append_basic(call, 's', "Metered");
    if (code >= 0) code = bus.call(connection->bus, call, TIMEOUT_MICROSECONDS, NULL, &reply);
    if (code >= 0) code = bus.enter_container(reply, 'v', "u");
    if (code >= 0) code = bus.read_basic(reply, 'u', &metered);
    if (call) bus.message_unref(call);
    if (reply) bus.message_unref(reply);
    return code < 0 ? code : (int)metered;
}

int bgw_network_manager_process(struct bgw_network_manager *connection) {
    connection->changed = 0;
    int code;
    do code = bus.process(connection->bus, NULL);
    while (code > 0);
    return code < 0 ? code : connection->changed;
}

void bgw_network_manager_close(struct bgw_network_manager *connection) {
    if (connection->bus) {
        bus.close(connection->bus);
        bus.unref(connection->bus);
    }
    free(connection);
}
