#!/usr/bin/python3
"""tls_test.py PROGRAM

The API over TLS: new versions of it only, with the certificate that it was given.
"""
import shutil
import ssl
import subprocess
import sys
import tempfile
import unittest
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import world as worlds

if shutil.which("openssl") is None:
    print("SKIPPED: there is no openssl to make a certificate with", file=sys.stderr)
    sys.exit(77)


class Tls(unittest.TestCase):
    world = None
    certificate = None

    def connect(self, context):
        return worlds.http.client.HTTPSConnection(self.world.host, self.world.port, timeout=30, context=context)

    def test_who_knows_the_certificate_is_answered(self):
        connection = self.connect(ssl.create_default_context(cafile=self.certificate))
        for _ in range(2):
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            self.assertEqual((200, b'{"status":"alive"}'), (answer.status, answer.read()))
            self.assertIn("max-age", answer.getheader("Strict-Transport-Security"))
        connection.close()

    def test_old_versions_and_no_tls_at_all_are_refused(self):
        old = ssl.create_default_context(cafile=self.certificate)
        old.minimum_version = ssl.TLSVersion.TLSv1
        old.maximum_version = ssl.TLSVersion.TLSv1_1
        old.set_ciphers("ALL:@SECLEVEL=0")
        with self.assertRaises(OSError):
            self.connect(old).request("GET", "/healthz")
        with self.assertRaises((OSError, worlds.http.client.HTTPException)):
            plain = worlds.http.client.HTTPConnection(self.world.host, self.world.port, timeout=30)
            plain.request("GET", "/healthz")
            plain.getresponse()


if __name__ == "__main__":
    program = sys.argv.pop(1)
    with tempfile.TemporaryDirectory(prefix="patra-tls-") as folder:
        Tls.certificate = f"{folder}/certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=patra",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", f"{folder}/key.pem", "-out",
                        Tls.certificate], check=True, capture_output=True)
        pathlib.Path(f"{folder}/key.pem").chmod(0o600)
        with worlds.world(program, Tls.certificate, f"{folder}/key.pem") as Tls.world:
            result = unittest.main(exit=False).result
    sys.exit(0 if result.wasSuccessful() else 1)
