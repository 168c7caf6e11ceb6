"""Certificates made on the spot: an authority for the daemon to trust, and what a server may show that must be refused."""

import datetime
import ipaddress
import pathlib
import ssl

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

NAMES = ("localhost", "127.0.0.1", "::1")
DAY = datetime.timedelta(days=1)


def _subject(name):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _alternative(name):
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _key_pem(key):
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def _usage(certificates):
    unused = dict.fromkeys(
        ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "encipher_only", "decipher_only"), False)
    return x509.KeyUsage(digital_signature=not certificates, key_cert_sign=certificates, crl_sign=certificates, **unused)


class Authority:
    """One that signs; its own certificate is what is trusted."""

    def __init__(self, name):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = _subject(name)
        self.certificate = self._signed(self.name, self.key.public_key(), -DAY, 30 * DAY, [
            (x509.BasicConstraints(ca=True, path_length=0), True), (_usage(certificates=True), True)])

    @property
    def pem(self):
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    def issue(self, names=NAMES, begins=-DAY, ends=DAY):
        """PEM of a server's key and its certificate, valid from `begins` to `ends` beside now."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = self._signed(_subject(names[0]), key.public_key(), begins, ends, [
            (x509.BasicConstraints(ca=False, path_length=None), True), (_usage(certificates=False), True),
            (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
            (x509.SubjectAlternativeName([_alternative(name) for name in names]), False)])
        return _key_pem(key) + certificate.public_bytes(serialization.Encoding.PEM)

    def _signed(self, subject, public, begins, ends, extensions):
        now = datetime.datetime.now(datetime.timezone.utc)
        builder = (
            x509.CertificateBuilder().subject_name(subject).issuer_name(self.name).public_key(public)
            .serial_number(x509.random_serial_number()).not_valid_before(now + begins).not_valid_after(now + ends)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), False))
        for extension, critical in extensions:
            builder = builder.add_extension(extension, critical)
        return builder.sign(self.key, hashes.SHA256())


def _self_signed(names=NAMES):
    """A server that is an authority of its own, which nobody was told of."""
    own = Authority(names[0])
    certificate = own._signed(own.name, own.key.public_key(), -DAY, DAY, [
        (x509.BasicConstraints(ca=False, path_length=None), True), (_usage(certificates=False), True),
        (x509.SubjectAlternativeName([_alternative(name) for name in names]), False)])
    return _key_pem(own.key) + certificate.public_bytes(serialization.Encoding.PEM)


class Certificates:
    """An authority to trust (`trusted`, a file) and a file for each kind of what a server shows.

    `names`: what the good one is for, besides the loopback.
    """

    KINDS = ("good", "wrong name", "expired", "not yet", "unknown authority", "self-signed")

    def __init__(self, root, names=()):
        self.root = pathlib.Path(root)
        self.names = NAMES + tuple(names)
        self.authority = Authority("KindVerb test authority")
        self.trusted = self.root / "authority.pem"
        self.trusted.write_bytes(self.authority.pem)

    def context(self):
        """For a client in a test, which trusts the authority."""
        return ssl.create_default_context(cafile=str(self.trusted))

    def file(self, kind="good"):
        """The PEM file of a server's key and certificate."""
        path = self.root / f"{kind.replace(' ', '-')}.pem"
        if not path.exists():
            path.touch(mode=0o600)
            path.write_bytes(self._made(kind))
        return path

    def _made(self, kind):
        if kind == "good":
            return self.authority.issue(self.names)
        if kind == "wrong name":
            return self.authority.issue(("elsewhere.example", "192.0.2.1"))
        if kind == "expired":
            return self.authority.issue(self.names, begins=-3 * DAY, ends=-DAY)
        if kind == "not yet":
            return self.authority.issue(self.names, begins=DAY, ends=3 * DAY)
        if kind == "unknown authority":
            return Authority("Nobody knows me").issue(self.names)
        assert kind == "self-signed", kind
        return _self_signed(self.names)
