// libcurl, loaded when it is first needed: with the thirty libraries that come along it would add a third to the memory of a daemon that
// sends nothing, and to the time of its start. And its calls with variable arguments, which Swift cannot make.
#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/// Loads the library and prepares it; 0, or -1 where it is missing or has not all that is used here. From one thread only, and before
/// every other call.
int kv_curl_load(void);

CURL *kv_curl_new(void);
void kv_curl_free(CURL *handle);
CURLcode kv_curl_set_long(CURL *handle, CURLoption option, long value);
/// Numbers of options that end in `_LARGE`.
CURLcode kv_curl_set_large(CURL *handle, CURLoption option, curl_off_t value);
/// The text is copied; null brings the option back to what it is without.
CURLcode kv_curl_set_string(CURL *handle, CURLoption option, const char *value);
/// A list, or what a callback is handed.
CURLcode kv_curl_set_pointer(CURL *handle, CURLoption option, void *value);
/// Takes `size` bytes as the body of a POST; they are copied.
CURLcode kv_curl_set_post(CURL *handle, const void *bytes, size_t size);
/// Callbacks for the body (`CURLOPT_WRITEFUNCTION`) and for headers (`CURLOPT_HEADERFUNCTION`).
CURLcode kv_curl_set_receiver(CURL *handle, CURLoption option, curl_write_callback function);
/// Called when there is a connection, before the request goes out (`CURLOPT_PREREQFUNCTION`).
CURLcode kv_curl_set_before_request(CURL *handle, curl_prereq_callback function);
/// A number that the library tells of a transfer; 0 where it does not.
long kv_curl_get_long(CURL *handle, CURLINFO info);
/// The descriptor of the connection that a transfer which has ended leaves to others; -1 if it leaves none.
curl_socket_t kv_curl_get_socket(CURL *handle);
/// What is written where the library was built to find the system's certificates as a directory of hashed names; null if it was not.
const char *kv_curl_certificate_directory(void);

/// The list with a copy of `text` at its end; null where there is no memory, and the list is as it was.
struct curl_slist *kv_curl_append(struct curl_slist *list, const char *text);
void kv_curl_free_list(struct curl_slist *list);

CURLM *kv_curlm_new(void);
void kv_curlm_free(CURLM *multi);
CURLMcode kv_curlm_set_long(CURLM *multi, CURLMoption option, long value);
/// What wishes for descriptors and for time are told to, with the same `context`; null for none.
CURLMcode kv_curlm_set_callbacks(CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context);
CURLMcode kv_curlm_add(CURLM *multi, CURL *handle);
CURLMcode kv_curlm_remove(CURLM *multi, CURL *handle);
CURLMcode kv_curlm_act(CURLM *multi, curl_socket_t socket, int events);
/// The next transfer that has ended and how, or null.
CURL *kv_curlm_next_done(CURLM *multi, CURLcode *result);
