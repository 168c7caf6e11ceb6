#!/usr/bin/env python3
"""Shows one letter at /letter/ID where the rules are firestore.rules, which let nobody read: it reads with an account of the project.

It needs the package google-cloud-firestore and an account with roles/datastore.viewer and no more; on Cloud Run that is the service's
own, so no key lies about. PORT says where it listens. Looking at a letter changes nothing.
"""

import datetime
import html
import http.server
import os
import re

from google.cloud import firestore

ID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
HEADERS = {
    "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex",
    "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"}
PAGE = """<!doctype html><html lang="{language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>A letter</title><body style="margin:3em auto;max-width:38em;padding:0 1.5em;font:1.1em/1.7 serif">
<main style="white-space:pre-wrap;overflow-wrap:anywhere">{text}</main>
"""
GONE = ("This letter is not here (any more). · 이 편지는 여기 없어요. · この手紙はここにありません。 · 这封信已经不在这里了。")


class Viewer(http.server.BaseHTTPRequestHandler):
    store = None  # the client, made once

    def do_GET(self):
        found = re.fullmatch(r"/letter/([^/?]+)(?:\?.*)?", self.path)
        letter = self.letter(found[1]) if found and ID.fullmatch(found[1]) else None
        if letter:
            self.answer(200, letter["language"], letter["content"])
        else:
            self.answer(404, "en", GONE)

    do_HEAD = do_GET

    def letter(self, id):
        """What is kept under an id and has not expired; a policy may take a day to delete what has."""
        kept = self.store.collection("letters").document(id).get()
        now = datetime.datetime.now(datetime.timezone.utc)
        return kept.to_dict() if kept.exists and kept.get("expireAt") > now else None

    def answer(self, status, language, text):
        body = PAGE.format(language=html.escape(language), text=html.escape(text)).encode()
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_):
        """An id is as good as the letter: it is not logged."""


if __name__ == "__main__":
    Viewer.store = firestore.Client()
    http.server.ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Viewer).serve_forever()
