// OpenSSL's certificates and signatures, from libcrypto, which is loaded when it is first needed: linked it would add a fifth to the
// memory of a daemon that verifies nothing, and a third to the time of its start. The functions are OpenSSL's own under another name.
#pragma once
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

/// Loads the library; 0, or -1 where it is missing or has not all that is used here. Before every other call.
int kv_openssl_load(void);

void kv_ERR_clear_error(void);

X509 *kv_d2i_X509(X509 **certificate, const unsigned char **bytes, long size);
void kv_X509_free(X509 *certificate);
int kv_X509_cmp(const X509 *left, const X509 *right);
EVP_PKEY *kv_X509_get0_pubkey(const X509 *certificate);
int kv_X509_get_ext_by_OBJ(const X509 *certificate, const ASN1_OBJECT *identifier, int after);
ASN1_OBJECT *kv_OBJ_txt2obj(const char *text, int numbers_only);
void kv_ASN1_OBJECT_free(ASN1_OBJECT *object);

X509_STORE *kv_X509_STORE_new(void);
void kv_X509_STORE_free(X509_STORE *store);
int kv_X509_STORE_add_cert(X509_STORE *store, X509 *certificate);
X509_STORE_CTX *kv_X509_STORE_CTX_new(void);
void kv_X509_STORE_CTX_free(X509_STORE_CTX *context);
int kv_X509_STORE_CTX_init(X509_STORE_CTX *context, X509_STORE *store, X509 *leaf, struct stack_st_X509 *untrusted);
X509_VERIFY_PARAM *kv_X509_STORE_CTX_get0_param(X509_STORE_CTX *context);
void kv_X509_VERIFY_PARAM_set_time(X509_VERIFY_PARAM *rules, time_t time);
int kv_X509_VERIFY_PARAM_set_flags(X509_VERIFY_PARAM *rules, unsigned long flags);
int kv_X509_verify_cert(X509_STORE_CTX *context);
struct stack_st_X509 *kv_X509_STORE_CTX_get0_chain(X509_STORE_CTX *context);

/// A stack that lends one certificate; null without memory.
struct stack_st_X509 *kv_openssl_stack(X509 *certificate);
/// Frees a stack and none of the certificates in it.
void kv_openssl_stack_free(struct stack_st_X509 *stack);
/// How many certificates a stack has; -1 for null.
int kv_openssl_stack_count(const struct stack_st_X509 *stack);
/// The certificate at a place of a stack, lent.
X509 *kv_openssl_stack_item(const struct stack_st_X509 *stack, int place);

const EVP_MD *kv_EVP_sha256(void);
EVP_MD_CTX *kv_EVP_MD_CTX_new(void);
void kv_EVP_MD_CTX_free(EVP_MD_CTX *context);
int kv_EVP_DigestVerifyInit(EVP_MD_CTX *context, EVP_PKEY_CTX **inner, const EVP_MD *kind, ENGINE *engine, EVP_PKEY *key);
int kv_EVP_DigestVerify(
    EVP_MD_CTX *context, const unsigned char *signature, size_t signature_size, const unsigned char *bytes, size_t size);
int kv_EVP_PKEY_get_group_name(const EVP_PKEY *key, char *name, size_t size, size_t *length);
