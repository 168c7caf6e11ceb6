#include "CCurl.h"

#include <dlfcn.h>
#include <stddef.h>

#define FUNCTIONS(each) \
  each(curl_global_init) each(curl_version_info) each(curl_slist_append) each(curl_slist_free_all) \
  each(curl_easy_init) each(curl_easy_cleanup) each(curl_easy_setopt) each(curl_easy_getinfo) \
  each(curl_multi_init) each(curl_multi_cleanup) each(curl_multi_setopt) each(curl_multi_add_handle) \
  each(curl_multi_remove_handle) each(curl_multi_socket_action) each(curl_multi_info_read)

#define DECLARE(name) static __typeof__(name) *p_##name;
FUNCTIONS(DECLARE)

int kv_curl_load(void) {
  static int state = 1;
  if (state != 1) return state;
  state = -1;
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return state;
#define FIND(name) \
  p_##name = (__typeof__(name) *)dlsym(library, #name); \
  if (!p_##name) return state;
  FUNCTIONS(FIND)
  // What is used here came last with CURLOPT_QUICK_EXIT.
  if (p_curl_version_info(CURLVERSION_NOW)->version_num < 0x075700) return state;
  if (p_curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) state = 0;
  return state;
}

CURL *kv_curl_new(void) { return p_curl_easy_init(); }

void kv_curl_free(CURL *handle) { p_curl_easy_cleanup(handle); }

CURLcode kv_curl_set_long(CURL *handle, CURLoption option, long value) { return p_curl_easy_setopt(handle, option, value); }

CURLcode kv_curl_set_large(CURL *handle, CURLoption option, curl_off_t value) { return p_curl_easy_setopt(handle, option, value); }

CURLcode kv_curl_set_string(CURL *handle, CURLoption option, const char *value) {
  return p_curl_easy_setopt(handle, option, value);
}

CURLcode kv_curl_set_pointer(CURL *handle, CURLoption option, void *value) { return p_curl_easy_setopt(handle, option, value); }

CURLcode kv_curl_set_post(CURL *handle, const void *bytes, size_t size) {
  CURLcode code = p_curl_easy_setopt(handle, CURLOPT_POST, 1L);
  if (code == CURLE_OK) code = p_curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
  if (code == CURLE_OK) code = p_curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, size ? bytes : "");
  return code;
}

CURLcode kv_curl_set_receiver(CURL *handle, CURLoption option, curl_write_callback function) {
  return p_curl_easy_setopt(handle, option, function);
}

CURLcode kv_curl_set_before_request(CURL *handle, curl_prereq_callback function) {
  return p_curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, function);
}

long kv_curl_get_long(CURL *handle, CURLINFO info) {
  long value = 0;
  return p_curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

curl_socket_t kv_curl_get_socket(CURL *handle) {
  curl_socket_t value = -1;
  return p_curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &value) == CURLE_OK ? value : -1;
}

const char *kv_curl_certificate_directory(void) { return p_curl_version_info(CURLVERSION_NOW)->capath; }

struct curl_slist *kv_curl_append(struct curl_slist *list, const char *text) { return p_curl_slist_append(list, text); }

void kv_curl_free_list(struct curl_slist *list) { p_curl_slist_free_all(list); }

CURLM *kv_curlm_new(void) { return p_curl_multi_init(); }

void kv_curlm_free(CURLM *multi) { p_curl_multi_cleanup(multi); }

CURLMcode kv_curlm_set_long(CURLM *multi, CURLMoption option, long value) { return p_curl_multi_setopt(multi, option, value); }

CURLMcode kv_curlm_set_callbacks(
    CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context) {
  CURLMcode code = p_curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  if (code == CURLM_OK) code = p_curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  if (code == CURLM_OK) code = p_curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
  if (code == CURLM_OK) code = p_curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
  return code;
}

CURLMcode kv_curlm_add(CURLM *multi, CURL *handle) { return p_curl_multi_add_handle(multi, handle); }

CURLMcode kv_curlm_remove(CURLM *multi, CURL *handle) { return p_curl_multi_remove_handle(multi, handle); }

CURLMcode kv_curlm_act(CURLM *multi, curl_socket_t socket, int events) {
  int running;
  return p_curl_multi_socket_action(multi, socket, events, &running);
}

CURL *kv_curlm_next_done(CURLM *multi, CURLcode *result) {
  int left;
  CURLMsg *message;
  while ((message = p_curl_multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}
