// OpenSSL's certificates and signatures as they are, and the few of its macros that Swift cannot call.
#pragma once
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

/// A stack that lends one certificate; NULL without memory.
static inline struct stack_st_X509 *kv_openssl_stack(X509 *certificate) {
  STACK_OF(X509) *stack = sk_X509_new_null();
  if (stack != NULL && sk_X509_push(stack, certificate) == 0) {
    sk_X509_free(stack);
    stack = NULL;
  }
  return stack;
}

/// Frees a stack and none of the certificates in it.
static inline void kv_openssl_stack_free(struct stack_st_X509 *stack) { sk_X509_free(stack); }

/// How many certificates a stack has; 0 for NULL.
static inline int kv_openssl_stack_count(const struct stack_st_X509 *stack) {
  return stack == NULL ? 0 : sk_X509_num(stack);
}

/// The certificate at a place of a stack, lent.
static inline X509 *kv_openssl_stack_item(const struct stack_st_X509 *stack, int place) { return sk_X509_value(stack, place); }
