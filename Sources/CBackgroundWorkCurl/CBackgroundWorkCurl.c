#define CURL_DISABLE_TYPECHECK
#include "CBackgroundWorkCurl.h"
#include "SharedLibrary.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// Named by number, so that the headers of libcurl before 7.85 and 7.87 do as well.
#define OPTION_PROTOCOLS_STR ((CURLoption)10318)
#define OPTION_REDIR_PROTOCOLS_STR ((CURLoption)10319)
#define OPTION_QUICK_EXIT ((CURLoption)322)
#define OPTION_PREREQ_FUNCTION ((CURLoption)20312)
#define OPTION_PREREQ_DATA ((CURLoption)10313)
#define OPTION_PROTOCOLS ((CURLoption)181)
#define OPTION_REDIR_PROTOCOLS ((CURLoption)182)

static struct {
    CURLcode (*global_init)(long);
    CURLM *(*multi_init)(void);
    CURLMcode (*multi_cleanup)(CURLM *);
    CURLMcode (*multi_add_handle)(CURLM *, CURL *);
    CURLMcode (*multi_remove_handle)(CURLM *, CURL *);
    CURLMcode (*multi_perform)(CURLM *, int *);
    CURLMcode (*multi_poll)(CURLM *, struct curl_waitfd *, unsigned, int, int *);
    CURLMsg *(*multi_info_read)(CURLM *, int *);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *);
    CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
    CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
    CURLcode (*easy_pause)(CURL *, int);
    CURLcode (*easy_send)(CURL *, const void *, size_t, size_t *);
    CURLcode (*easy_recv)(CURL *, void *, size_t, size_t *);
    const char *(*easy_strerror)(CURLcode);
    CURLSH *(*share_init)(void);
    CURLSHcode (*share_setopt)(CURLSH *, CURLSHoption, ...);
    CURLSHcode (*share_cleanup)(CURLSH *);
    struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
    void (*slist_free_all)(struct curl_slist *);
    // Of the libcrypto that libcurl depends on, if it does.
    bgw_openssl_init openssl_init;
} curl;

static const struct bgw_function functions[] = {
    {"curl_global_init", (void **)&curl.global_init},
    {"curl_multi_init", (void **)&curl.multi_init},
    {"curl_multi_cleanup", (void **)&curl.multi_cleanup},
    {"curl_multi_add_handle", (void **)&curl.multi_add_handle},
    {"curl_multi_remove_handle", (void **)&curl.multi_remove_handle},
    {"curl_multi_perform", (void **)&curl.multi_perform},
    {"curl_multi_poll", (void **)&curl.multi_poll},
    {"curl_multi_info_read", (void **)&curl.multi_info_read},
    {"curl_easy_init", (void **)&curl.easy_init},
    {"curl_easy_cleanup", (void **)&curl.easy_cleanup},
    {"curl_easy_setopt", (void **)&curl.easy_setopt},
    {"curl_easy_getinfo", (void **)&curl.easy_getinfo},
    {"curl_easy_pause", (void **)&curl.easy_pause},
    {"curl_easy_send", (void **)&curl.easy_send},
    {"curl_easy_recv", (void **)&curl.easy_recv},
    {"curl_easy_strerror", (void **)&curl.easy_strerror},
    {"curl_share_init", (void **)&curl.share_init},
    {"curl_share_setopt", (void **)&curl.share_setopt},
    {"curl_share_cleanup", (void **)&curl.share_cleanup},
    {"curl_slist_append", (void **)&curl.slist_append},
    {"curl_slist_free_all", (void **)&curl.slist_free_all},
    {"OPENSSL_init_crypto", (void **)&curl.openssl_init, .is_optional = 1},
};

static const struct bgw_library library = {
    .name = "libcurl", .file = "libcurl.so.4", .version = "7.66", .package = "libcurl4",
    .functions = functions, .count = sizeof functions / sizeof *functions};

static int loaded = 0;
static char failure[512];

static int load(const char **error) {
    if (loaded) return 0;
    *error = failure;
    if (bgw_library_load(&library, failure, sizeof failure) != 0) return -1;
    bgw_openssl_keep_until_end(curl.openssl_init);
    CURLcode code = curl.global_init(CURL_GLOBAL_DEFAULT);
    if (code != CURLE_OK) {
        snprintf(failure, sizeof failure, "libcurl could not be initialized: %s", curl.easy_strerror(code));
        return -1;
    }
    loaded = 1;
    return 0;
}

int bgw_curl_load(const char **error) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    int answer = load(error);
    pthread_mutex_unlock(&mutex);
    return answer;
}

CURLM *bgw_curl_multi_init(void) { return curl.multi_init(); }
void bgw_curl_multi_cleanup(CURLM *multi) { curl.multi_cleanup(multi); }
CURLMcode bgw_curl_multi_add_handle(CURLM *multi, CURL *easy) { return curl.multi_add_handle(multi, easy); }
CURLMcode bgw_curl_multi_remove_handle(CURLM *multi, CURL *easy) { return curl.multi_remove_handle(multi, easy); }
CURLMcode bgw_curl_multi_perform(CURLM *multi, int *running) { return curl.multi_perform(multi, running); }

CURLMcode bgw_curl_multi_poll(CURLM *multi, struct curl_waitfd *extra, unsigned count, int milliseconds) {
    return curl.multi_poll(multi, extra, count, milliseconds, NULL);
}

CURL *bgw_curl_multi_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl.multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

CURL *bgw_curl_easy_init(void) { return curl.easy_init(); }
void bgw_curl_easy_cleanup(CURL *easy) { curl.easy_cleanup(easy); }
CURLcode bgw_curl_easy_continue(CURL *easy) { return curl.easy_pause(easy, CURLPAUSE_CONT); }
const char *bgw_curl_easy_strerror(CURLcode code) { return curl.easy_strerror(code); }

CURLcode bgw_curl_easy_send(CURL *easy, const void *bytes, size_t count, size_t *sent) {
    *sent = 0;
    return curl.easy_send(easy, bytes, count, sent);
}

CURLcode bgw_curl_easy_receive(CURL *easy, void *space, size_t count, size_t *received) {
    *received = 0;
    return curl.easy_recv(easy, space, count, received);
}

int bgw_curl_active_socket(CURL *easy) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    return curl.easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? (int)socket : -1;
}

CURLcode bgw_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl.easy_setopt(easy, option, value);
}

CURLcode bgw_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl.easy_setopt(easy, option, value);
}

CURLcode bgw_curl_set_large(CURL *easy, CURLoption option, int64_t value) {
    return curl.easy_setopt(easy, option, (curl_off_t)value);
}

CURLcode bgw_curl_set_headers(CURL *easy, struct curl_slist *headers) {
    return curl.easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

CURLcode bgw_curl_set_error_buffer(CURL *easy, char *buffer) {
    return curl.easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

CURLcode bgw_curl_set_body_function(CURL *easy, bgw_curl_data_function function, void *context) {
    CURLcode code = curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
    return code != CURLE_OK ? code : curl.easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

CURLcode bgw_curl_set_header_function(CURL *easy, bgw_curl_data_function function, void *context) {
    CURLcode code = curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, function);
    return code != CURLE_OK ? code : curl.easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

CURLcode bgw_curl_set_socket_function(CURL *easy, bgw_curl_socket_function function, void *context) {
    CURLcode code = curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
    return code != CURLE_OK ? code : curl.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

CURLcode bgw_curl_set_read_function(CURL *easy, bgw_curl_data_function function, void *context) {
    CURLcode code = curl.easy_setopt(easy, CURLOPT_READFUNCTION, function);
    return code != CURLE_OK ? code : curl.easy_setopt(easy, CURLOPT_READDATA, context);
}

CURLcode bgw_curl_set_seek_function(CURL *easy, bgw_curl_seek_function function, void *context) {
    CURLcode code = curl.easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
    return code != CURLE_OK ? code : curl.easy_setopt(easy, CURLOPT_SEEKDATA, context);
}

CURLcode bgw_curl_set_connected_function(CURL *easy, bgw_curl_connected_function function, void *context) {
    CURLcode code = curl.easy_setopt(easy, OPTION_PREREQ_FUNCTION, function);
    return code != CURLE_OK ? code : curl.easy_setopt(easy, OPTION_PREREQ_DATA, context);
}

CURLcode bgw_curl_allow_web_protocols(CURL *easy, int redirects_to_https_only) {
    const char *redirects = redirects_to_https_only ? "https" : "http,https";
    CURLcode code = curl.easy_setopt(easy, OPTION_PROTOCOLS_STR, "http,https");
    if (code == CURLE_OK) return curl.easy_setopt(easy, OPTION_REDIR_PROTOCOLS_STR, redirects);
    // libcurl before 7.85 knows the protocols as bits only.
    long web = CURLPROTO_HTTP | CURLPROTO_HTTPS;
    code = curl.easy_setopt(easy, OPTION_PROTOCOLS, web);
    if (code != CURLE_OK) return code;
    return curl.easy_setopt(easy, OPTION_REDIR_PROTOCOLS, redirects_to_https_only ? (long)CURLPROTO_HTTPS : web);
}

void bgw_curl_leave_resolver_behind(CURL *easy) { curl.easy_setopt(easy, OPTION_QUICK_EXIT, 1L); }

CURLSH *bgw_curl_make_cookie_share(void) {
    CURLSH *share = curl.share_init();
    if (share) curl.share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
    return share;
}

void bgw_curl_share_cleanup(CURLSH *share) { curl.share_cleanup(share); }

void bgw_curl_set_cookie_share(CURL *easy, CURLSH *share) {
    curl.easy_setopt(easy, CURLOPT_SHARE, share);
    // The name of no file: cookies are kept, and none are read.
    curl.easy_setopt(easy, CURLOPT_COOKIEFILE, "");
}

struct curl_slist *bgw_curl_slist_append(struct curl_slist *list, const char *text) {
    return curl.slist_append(list, text);
}

void bgw_curl_slist_free_all(struct curl_slist *list) { curl.slist_free_all(list); }

CURLcode bgw_curl_get_long(CURL *easy, CURLINFO info, long *value) { return curl.easy_getinfo(easy, info, value); }

CURLcode bgw_curl_get_string(CURL *easy, CURLINFO info, const char **value) {
    return curl.easy_getinfo(easy, info, value);
}

int bgw_curl_address_bytes(const struct curl_sockaddr *address, uint8_t bytes[16]) {
    if (address->family == AF_INET) {
        struct sockaddr_in ipv4;
        memcpy(&ipv4, &address->addr, sizeof ipv4);
        memcpy(bytes, &ipv4.sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6) {
        struct sockaddr_in6 ipv6;
        memcpy(&ipv6, &address->addr, sizeof ipv6);
        memcpy(bytes, &ipv6.sin6_addr, 16);
        return 16;
    }
    return 0;
}
