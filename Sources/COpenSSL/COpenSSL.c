#include "COpenSSL.h"

#include <dlfcn.h>
#include <openssl/err.h>
#include <pthread.h>
#include <stddef.h>

#define FUNCTIONS(each) \
  each(ERR_clear_error) each(d2i_X509) each(X509_free) each(X509_cmp) each(X509_get0_pubkey) each(X509_get_ext_by_OBJ) \
  each(OBJ_txt2obj) each(ASN1_OBJECT_free) each(X509_STORE_new) each(X509_STORE_free) each(X509_STORE_add_cert) \
  each(X509_STORE_CTX_new) each(X509_STORE_CTX_free) each(X509_STORE_CTX_init) each(X509_STORE_CTX_get0_param) \
  each(X509_VERIFY_PARAM_set_time) each(X509_VERIFY_PARAM_set_flags) each(X509_verify_cert) each(X509_STORE_CTX_get0_chain) \
  each(OPENSSL_sk_new_null) each(OPENSSL_sk_push) each(OPENSSL_sk_free) each(OPENSSL_sk_num) each(OPENSSL_sk_value) \
  each(EVP_sha256) each(EVP_MD_CTX_new) each(EVP_MD_CTX_free) each(EVP_DigestVerifyInit) each(EVP_DigestVerify) \
  each(EVP_PKEY_get_group_name)

#define DECLARE(name) static __typeof__(name) *p_##name;
FUNCTIONS(DECLARE)

static int load(void) {
  void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!library) return -1;
#define FIND(name) \
  p_##name = (__typeof__(name) *)dlsym(library, #name); \
  if (!p_##name) return -1;
  FUNCTIONS(FIND)
  return 0;
}

int kv_openssl_load(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int is_missing = -1;
  pthread_mutex_lock(&lock);
  // What is missing now may be installed later: it is looked for each time.
  if (is_missing) is_missing = load();
  int result = is_missing;
  pthread_mutex_unlock(&lock);
  return result;
}

void kv_ERR_clear_error(void) { p_ERR_clear_error(); }

X509 *kv_d2i_X509(X509 **certificate, const unsigned char **bytes, long size) { return p_d2i_X509(certificate, bytes, size); }

void kv_X509_free(X509 *certificate) { p_X509_free(certificate); }

int kv_X509_cmp(const X509 *left, const X509 *right) { return p_X509_cmp(left, right); }

EVP_PKEY *kv_X509_get0_pubkey(const X509 *certificate) { return p_X509_get0_pubkey(certificate); }

int kv_X509_get_ext_by_OBJ(const X509 *certificate, const ASN1_OBJECT *identifier, int after) {
  return p_X509_get_ext_by_OBJ(certificate, identifier, after);
}

ASN1_OBJECT *kv_OBJ_txt2obj(const char *text, int numbers_only) { return p_OBJ_txt2obj(text, numbers_only); }

void kv_ASN1_OBJECT_free(ASN1_OBJECT *object) { p_ASN1_OBJECT_free(object); }

X509_STORE *kv_X509_STORE_new(void) { return p_X509_STORE_new(); }

void kv_X509_STORE_free(X509_STORE *store) { p_X509_STORE_free(store); }

int kv_X509_STORE_add_cert(X509_STORE *store, X509 *certificate) { return p_X509_STORE_add_cert(store, certificate); }

X509_STORE_CTX *kv_X509_STORE_CTX_new(void) { return p_X509_STORE_CTX_new(); }

void kv_X509_STORE_CTX_free(X509_STORE_CTX *context) { p_X509_STORE_CTX_free(context); }

int kv_X509_STORE_CTX_init(X509_STORE_CTX *context, X509_STORE *store, X509 *leaf, struct stack_st_X509 *untrusted) {
  return p_X509_STORE_CTX_init(context, store, leaf, untrusted);
}

X509_VERIFY_PARAM *kv_X509_STORE_CTX_get0_param(X509_STORE_CTX *context) { return p_X509_STORE_CTX_get0_param(context); }

void kv_X509_VERIFY_PARAM_set_time(X509_VERIFY_PARAM *rules, time_t time) { p_X509_VERIFY_PARAM_set_time(rules, time); }

int kv_X509_VERIFY_PARAM_set_flags(X509_VERIFY_PARAM *rules, unsigned long flags) {
  return p_X509_VERIFY_PARAM_set_flags(rules, flags);
}

int kv_X509_verify_cert(X509_STORE_CTX *context) { return p_X509_verify_cert(context); }

struct stack_st_X509 *kv_X509_STORE_CTX_get0_chain(X509_STORE_CTX *context) { return p_X509_STORE_CTX_get0_chain(context); }

struct stack_st_X509 *kv_openssl_stack(X509 *certificate) {
  OPENSSL_STACK *stack = p_OPENSSL_sk_new_null();
  if (stack && p_OPENSSL_sk_push(stack, certificate) == 0) {
    p_OPENSSL_sk_free(stack);
    stack = NULL;
  }
  return (struct stack_st_X509 *)stack;
}

void kv_openssl_stack_free(struct stack_st_X509 *stack) { p_OPENSSL_sk_free((OPENSSL_STACK *)stack); }

int kv_openssl_stack_count(const struct stack_st_X509 *stack) { return p_OPENSSL_sk_num((const OPENSSL_STACK *)stack); }

X509 *kv_openssl_stack_item(const struct stack_st_X509 *stack, int place) {
  return p_OPENSSL_sk_value((const OPENSSL_STACK *)stack, place);
}

const EVP_MD *kv_EVP_sha256(void) { return p_EVP_sha256(); }

EVP_MD_CTX *kv_EVP_MD_CTX_new(void) { return p_EVP_MD_CTX_new(); }

void kv_EVP_MD_CTX_free(EVP_MD_CTX *context) { p_EVP_MD_CTX_free(context); }

int kv_EVP_DigestVerifyInit(EVP_MD_CTX *context, EVP_PKEY_CTX **inner, const EVP_MD *kind, ENGINE *engine, EVP_PKEY *key) {
  return p_EVP_DigestVerifyInit(context, inner, kind, engine, key);
}

int kv_EVP_DigestVerify(
    EVP_MD_CTX *context, const unsigned char *signature, size_t signature_size, const unsigned char *bytes, size_t size) {
  return p_EVP_DigestVerify(context, signature, signature_size, bytes, size);
}

int kv_EVP_PKEY_get_group_name(const EVP_PKEY *key, char *name, size_t size, size_t *length) {
  return p_EVP_PKEY_get_group_name(key, name, size, length);
}
