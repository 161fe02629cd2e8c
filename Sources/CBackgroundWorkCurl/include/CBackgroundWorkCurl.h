#ifndef CBACKGROUNDWORK_CURL_H
#define CBACKGROUNDWORK_CURL_H

#if __has_include(<curl/curl.h>)
#include <curl/curl.h>
#else
#error "libcurl's header is missing. On Debian and Ubuntu: apt-get install libcurl4-openssl-dev"
#endif

#include <stddef.h>
#include <stdint.h>

/// Loads libcurl on first use, so that a process that transfers nothing does not pay for it. Returns 0, or -1 with
/// `error` set to a message that lives as long as the process. May be called on any thread; nothing below may be called
/// before it has succeeded, and everything that belongs to one multi handle on one thread.
int bgw_curl_load(const char **error);

CURLM *bgw_curl_multi_init(void);
void bgw_curl_multi_cleanup(CURLM *multi);
CURLMcode bgw_curl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode bgw_curl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode bgw_curl_multi_perform(CURLM *multi, int *running);
CURLMcode bgw_curl_multi_poll(CURLM *multi, struct curl_waitfd *extra, unsigned count, int milliseconds);

/// The next handle that has ended, with its result, or NULL when there is none.
CURL *bgw_curl_multi_next_done(CURLM *multi, CURLcode *result);

CURL *bgw_curl_easy_init(void);
void bgw_curl_easy_cleanup(CURL *easy);
CURLcode bgw_curl_easy_continue(CURL *easy);
const char *bgw_curl_easy_strerror(CURLcode code);

/// For a handle that has only connected (CURLOPT_CONNECT_ONLY) and is still in its multi handle: CURLE_AGAIN when the
/// socket is not ready. A send that was not ready is repeated with the same bytes at the same address.
CURLcode bgw_curl_easy_send(CURL *easy, const void *bytes, size_t count, size_t *sent);
/// `*received` is 0 with CURLE_OK at the end of the stream.
CURLcode bgw_curl_easy_receive(CURL *easy, void *space, size_t count, size_t *received);
/// The connection's socket, or -1.
int bgw_curl_active_socket(CURL *easy);

typedef size_t (*bgw_curl_data_function)(char *data, size_t size, size_t count, void *context);
typedef curl_socket_t (*bgw_curl_socket_function)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

CURLcode bgw_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode bgw_curl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode bgw_curl_set_large(CURL *easy, CURLoption option, int64_t value);
CURLcode bgw_curl_set_headers(CURL *easy, struct curl_slist *headers);
CURLcode bgw_curl_set_error_buffer(CURL *easy, char *buffer);
CURLcode bgw_curl_set_body_function(CURL *easy, bgw_curl_data_function function, void *context);
CURLcode bgw_curl_set_header_function(CURL *easy, bgw_curl_data_function function, void *context);
CURLcode bgw_curl_set_socket_function(CURL *easy, bgw_curl_socket_function function, void *context);

/// Called until the whole body is handed out; CURL_READFUNC_ABORT ends the exchange.
CURLcode bgw_curl_set_read_function(CURL *easy, bgw_curl_data_function function, void *context);

/// Called to continue the body at `offset`, counted from its start; returns a CURL_SEEKFUNC_ value.
typedef int (*bgw_curl_seek_function)(void *context, curl_off_t offset, int origin);
CURLcode bgw_curl_set_seek_function(CURL *easy, bgw_curl_seek_function function, void *context);

/// Called when a connection, new or used before, is about to carry the request; returns 0 to allow it. Not known to
/// libcurl before 7.80, which answers CURLE_UNKNOWN_OPTION.
typedef int (*bgw_curl_connected_function)(
    void *context, char *address, char *local_address, int port, int local_port);
CURLcode bgw_curl_set_connected_function(CURL *easy, bgw_curl_connected_function function, void *context);

/// Allows http and https for the request, and for redirects the same or https alone.
CURLcode bgw_curl_allow_web_protocols(CURL *easy, int redirects_to_https_only);

/// Releases a handle without waiting for its name resolution. Unknown to libcurl before 7.87, where it does nothing.
void bgw_curl_leave_resolver_behind(CURL *easy);

/// Cookies in memory for the handles of one thread, or NULL.
CURLSH *bgw_curl_make_cookie_share(void);
void bgw_curl_share_cleanup(CURLSH *share);
void bgw_curl_set_cookie_share(CURL *easy, CURLSH *share);

struct curl_slist *bgw_curl_slist_append(struct curl_slist *list, const char *text);
void bgw_curl_slist_free_all(struct curl_slist *list);

CURLcode bgw_curl_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode bgw_curl_get_string(CURL *easy, CURLINFO info, const char **value);

/// The address that is about to be dialed, in network order: 4 bytes, 16 bytes, or 0 for any other family.
int bgw_curl_address_bytes(const struct curl_sockaddr *address, uint8_t bytes[16]);

#endif
