"""Chains of certificates like the App Store's, and transactions signed with them."""

import base64
import datetime
import json

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.x509.oid import NameOID

LEAF, INTERMEDIATE = "1.2.840.113635.100.6.11.1", "1.2.840.113635.100.6.2.1"
PRODUCT, BUNDLE = "kindverb.pro.lifetime", "com.kindverb.app"
DAY = 86_400_000


def url64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def instant(milliseconds):
    return datetime.datetime.fromtimestamp(milliseconds // 1000, datetime.timezone.utc)


class Chain:
    """Root, intermediate and leaf, each valid around `at`; what is given departs from what Apple does."""

    def __init__(self, at, leaf_marks=(LEAF,), intermediate_marks=(INTERMEDIATE,), intermediate_is_ca=True, key_ids=True,
                 leaf_days=(-200, 3000), leaf_curve=ec.SECP256R1, leaf_by_root=False):
        self.at = at
        self.keys = [ec.generate_private_key(curve()) for curve in (leaf_curve, ec.SECP384R1, ec.SECP384R1)]
        wide = (-2000, 4000)
        root = self.certificate("Root", 2, "Root", 2, wide, (), True, key_ids)
        middle = self.certificate("Intermediate", 1, "Root", 2, wide, intermediate_marks, intermediate_is_ca, key_ids)
        issuer = ("Root", 2) if leaf_by_root else ("Intermediate", 1)
        leaf = self.certificate("Leaf", 0, *issuer, leaf_days, leaf_marks, False, key_ids)
        self.certificates = [leaf, middle, root]

    def certificate(self, name, key, issuer, issuer_key, days, marks, is_ca, key_ids):
        def named(text):
            return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text), x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Test")])

        public = self.keys[key].public_key()
        begin, end = (instant(self.at + day * DAY) for day in days)
        path = 0 if is_ca and name != "Root" else None
        builder = (x509.CertificateBuilder().subject_name(named(name)).issuer_name(named(issuer)).public_key(public)
                   .serial_number(x509.random_serial_number()).not_valid_before(begin).not_valid_after(end)
                   .add_extension(x509.BasicConstraints(is_ca, path), critical=True)
                   .add_extension(x509.KeyUsage(not is_ca, False, False, False, False, is_ca, is_ca, False, False), critical=True))
        if key_ids:
            builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False).add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self.keys[issuer_key].public_key()), critical=False)
        for mark in marks:
            builder = builder.add_extension(x509.UnrecognizedExtension(x509.ObjectIdentifier(mark), b"\x05\x00"), critical=False)
        made = builder.sign(self.keys[issuer_key], hashes.SHA384())
        return made.public_bytes(serialization.Encoding.DER)

    @property
    def root(self):
        return self.certificates[2]

    def x5c(self):
        return [base64.b64encode(certificate).decode() for certificate in self.certificates]

    def transaction(self, **changes):
        """What a lifetime purchase says; None takes a member away."""
        payload = {
            "transactionId": "2000000123456790", "originalTransactionId": "2000000123456789", "bundleId": BUNDLE, "productId": PRODUCT,
            "purchaseDate": self.at - 30 * DAY, "originalPurchaseDate": self.at - 30 * DAY, "quantity": 1, "type": "Non-Consumable",
            "deviceVerification": "c2VudGluZWwgZGV2aWNl", "deviceVerificationNonce": "5e9a7c52-0000-4000-8000-00000000feed",
            "appAccountToken": "7e3fb20b-4cdb-47cc-936d-99d65f608138", "inAppOwnershipType": "PURCHASED", "signedDate": self.at,
            "environment": "Production", "transactionReason": "PURCHASE", "storefront": "KOR", "storefrontId": "143466", "price": 12900000,
            "currency": "KRW"}
        payload.update(changes)
        return {name: value for name, value in payload.items() if value is not None}

    def sign(self, payload=None, header=None, key=None, der=False, digest=hashes.SHA256, **changes):
        """A signed transaction. `payload` and `header` may be text in place of what makes a good one, or, `header`, what departs from it."""
        if not isinstance(header, str):
            header = {"alg": "ES256", "x5c": self.x5c(), **(header or {})}
            header = json.dumps({name: value for name, value in header.items() if value is not None})
        if payload is None:
            payload = json.dumps(self.transaction(**changes))
        parts = url64(header.encode()) + "." + url64(payload.encode())
        signature = (key or self.keys[0]).sign(parts.encode(), ec.ECDSA(digest()))
        if not der:
            r, s = utils.decode_dss_signature(signature)
            size = ((key or self.keys[0]).key_size + 7) // 8
            signature = r.to_bytes(size, "big") + s.to_bytes(size, "big")
        return parts + "." + url64(signature)


# Apple's own: the leaf that signs from 2025-09-19 to 2027-10-13, and its intermediate, as they stand in the tests of Apple's library (MIT).
APPLE_LEAF = (
    "MIIEMTCCA7agAwIBAgIQR8KHzdn554Z/UoradNx9tzAKBggqhkjOPQQDAzB1MUQwQgYDVQQDDDtBcHBsZSBXb3JsZHdpZGUgRGV2ZWxvcGVyIFJlbGF0aW9ucyBDZXJ0aWZp"
    "Y2F0aW9uIEF1dGhvcml0eTELMAkGA1UECwwCRzYxEzARBgNVBAoMCkFwcGxlIEluYy4xCzAJBgNVBAYTAlVTMB4XDTI1MDkxOTE5NDQ1MVoXDTI3MTAxMzE3NDcyM1owgZIx"
    "QDA+BgNVBAMMN1Byb2QgRUNDIE1hYyBBcHAgU3RvcmUgYW5kIGlUdW5lcyBTdG9yZSBSZWNlaXB0IFNpZ25pbmcxLDAqBgNVBAsMI0FwcGxlIFdvcmxkd2lkZSBEZXZlbG9w"
    "ZXIgUmVsYXRpb25zMRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNnVvhcv7iT+7Ex5tBMBgrQspHzIsXRi0Yxf"
    "ek7lv8wEmj/bHiWtNwJqc2BoHzsQiEjP7KFIIKg4Y8y0/nynuAmjggIIMIICBDAMBgNVHRMBAf8EAjAAMB8GA1UdIwQYMBaAFD8vlCNR01DJmig97bB85c+lkGKZMHAGCCsG"
    "AQUFBwEBBGQwYjAtBggrBgEFBQcwAoYhaHR0cDovL2NlcnRzLmFwcGxlLmNvbS93d2RyZzYuZGVyMDEGCCsGAQUFBzABhiVodHRwOi8vb2NzcC5hcHBsZS5jb20vb2NzcDAz"
    "LXd3ZHJnNjAyMIIBHgYDVR0gBIIBFTCCAREwggENBgoqhkiG92NkBQYBMIH+MIHDBggrBgEFBQcCAjCBtgyBs1JlbGlhbmNlIG9uIHRoaXMgY2VydGlmaWNhdGUgYnkgYW55"
    "IHBhcnR5IGFzc3VtZXMgYWNjZXB0YW5jZSBvZiB0aGUgdGhlbiBhcHBsaWNhYmxlIHN0YW5kYXJkIHRlcm1zIGFuZCBjb25kaXRpb25zIG9mIHVzZSwgY2VydGlmaWNhdGUg"
    "cG9saWN5IGFuZCBjZXJ0aWZpY2F0aW9uIHByYWN0aWNlIHN0YXRlbWVudHMuMDYGCCsGAQUFBwIBFipodHRwOi8vd3d3LmFwcGxlLmNvbS9jZXJ0aWZpY2F0ZWF1dGhvcml0"
    "eS8wHQYDVR0OBBYEFIFioG4wMMVA1ku9zJmGNPAVn3eqMA4GA1UdDwEB/wQEAwIHgDAQBgoqhkiG92NkBgsBBAIFADAKBggqhkjOPQQDAwNpADBmAjEA+qXnREC7hXIWVLsL"
    "xznjRpIzPf7VHz9V/CTm8+LJlrQepnmcPvGLNcX6XPnlcgLAAjEA5IjNZKgg5pQ79knF4IbTXdKv8vutIDMXDmjPVT3dGvFtsGRwXOywR2kZCdSrfeot")
APPLE_INTERMEDIATE = (
    "MIIDFjCCApygAwIBAgIUIsGhRwp0c2nvU4YSycafPTjzbNcwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwSQXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQLDB1BcHBsZSBDZXJ0"
    "aWZpY2F0aW9uIEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcNMjEwMzE3MjAzNzEwWhcNMzYwMzE5MDAwMDAwWjB1MUQwQgYDVQQDDDtB"
    "cHBsZSBXb3JsZHdpZGUgRGV2ZWxvcGVyIFJlbGF0aW9ucyBDZXJ0aWZpY2F0aW9uIEF1dGhvcml0eTELMAkGA1UECwwCRzYxEzARBgNVBAoMCkFwcGxlIEluYy4xCzAJBgNV"
    "BAYTAlVTMHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEbsQKC94PrlWmZXnXgtxzdVJL8T0SGYngDRGpngn3N6PT8JMEb7FDi4bBmPhCnZ3/sq6PF/cGcKXWsL5vOteRhyJ45x3A"
    "SP7cOB+aao90fcpxSv/EZFbniAbNgZGhIhpIo4H6MIH3MBIGA1UdEwEB/wQIMAYBAf8CAQAwHwYDVR0jBBgwFoAUu7DeoVgziJqkipnevr3rr9rLJKswRgYIKwYBBQUHAQEE"
    "OjA4MDYGCCsGAQUFBzABhipodHRwOi8vb2NzcC5hcHBsZS5jb20vb2NzcDAzLWFwcGxlcm9vdGNhZzMwNwYDVR0fBDAwLjAsoCqgKIYmaHR0cDovL2NybC5hcHBsZS5jb20v"
    "YXBwbGVyb290Y2FnMy5jcmwwHQYDVR0OBBYEFD8vlCNR01DJmig97bB85c+lkGKZMA4GA1UdDwEB/wQEAwIBBjAQBgoqhkiG92NkBgIBBAIFADAKBggqhkjOPQQDAwNoADBl"
    "AjBAXhSq5IyKogMCPtw490BaB677CaEGJXufQB/EqZGd6CSjiCtOnuMTbXVXmxxcxfkCMQDTSPxarZXvNrkxU3TkUMI33yzvFVVRT4wxWJC994OsdcZ4+RGNsYDyR5gmdr0n"
    "DGg=")
