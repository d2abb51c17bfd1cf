"""How stores of objects are named in the environment, and what their errors mean to a user."""

from __future__ import annotations

import os
import re
import urllib.parse
from typing import Any

from .failure import Failure, first_line

ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
SECRETS = ("AWS_SESSION_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID")
AWS_ERROR = re.compile(r"AWS Error (\w+)(?: \(HTTP status (\d+)\))? during \w+ operation: (.*)")
ABOUT_KEYS = {
    "ACCESS_DENIED",
    "EXPIRED_TOKEN",
    "INCOMPLETE_SIGNATURE",
    "INVALID_ACCESS_KEY_ID",
    "INVALID_CLIENT_TOKEN_ID",
    "INVALID_SIGNATURE",
    "MISSING_AUTHENTICATION_TOKEN",
    "SIGNATURE_DOES_NOT_MATCH",
    "UNRECOGNIZED_CLIENT",
}


def is_set(name: str) -> bool:
    return os.environ.get(name, "").lower() in ("1", "true", "yes")


def region() -> str:
    return os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"


def endpoint_variable() -> str:
    """The variable that names the store; empty: it is Amazon's."""
    return next((name for name in ENDPOINTS if os.environ.get(name)), "")


def endpoint(address: str) -> tuple[str, str]:
    """The scheme of the store, and its host with the port; no host where it is Amazon's."""
    variable = endpoint_variable()
    if not variable:
        return "https", ""
    text = os.environ[variable].strip()
    try:
        parts = urllib.parse.urlsplit(text)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_address, parts = False, urllib.parse.urlsplit("")
    if "@" in text:  # what stands before it is not for messages
        raise Failure("usage", f"{variable} holds a name or a password", address, remedy_of_keys())
    if not is_address:
        remedy = f"{variable} is to be as http://127.0.0.1:9000 or https://store.example.org"
        raise Failure("usage", f"{variable} is {text[:200]!r}, which is no address of a store", address, remedy)
    return parts.scheme, parts.netloc


def remedy_of_keys() -> str:
    return "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY hold the key"


def without_secrets(text: str) -> str:
    for name in SECRETS:
        value = os.environ.get(name, "")
        if len(value) > 3:
            text = text.replace(value, f"${name}")
    return text


def failure_of(error: BaseException, address: str) -> Failure:
    """What an error of a library means. Words of the store about keys are not handed on."""
    text = first_line(error)
    if address.startswith("gs://"):
        return failure_of_google(text, address)
    found = AWS_ERROR.search(text)
    if not found:
        return Failure("unavailable", text, address)
    name, status, said = found[1], found[2] or "", found[3]
    if name in ABOUT_KEYS or status in ("401", "403") or "access key" in said.lower():
        return refused_key(address)
    if name == "NETWORK_CONNECTION":
        reason = said.rpartition("Details: ")[2].removeprefix("curlCode: ")
        return no_connection(f"no connection: {reason}", address)
    if "region" in said or status in ("301", "400"):
        answer = said if "region" in said else f"the store answers with status {status}"
        remedy = f"AWS_REGION names the region of the bucket, and {region()} is asked; {remedy_of_keys()}"
        return Failure("unavailable", answer, address, remedy)
    return Failure("unavailable", f"the store answers {said}", address)


def no_connection(message: str, address: str) -> Failure:
    remedy = ""
    if address.startswith("s3://"):
        variable = endpoint_variable()
        remedy = f"{variable} names the store: does it run there?"
        if not variable:
            remedy = "AWS_ENDPOINT_URL names a store that is not Amazon's"
    elif address.startswith("gs://") and os.environ.get("STORAGE_EMULATOR_HOST"):
        remedy = "STORAGE_EMULATOR_HOST names the store: does it run there?"
    return Failure("unavailable", message, address, remedy)


def refused_key(address: str) -> Failure:
    remedy = remedy_of_keys()
    if is_set("AWS_NO_SIGN_REQUEST"):
        message = "the store wants a key, and AWS_NO_SIGN_REQUEST asks it without one"
        return Failure("unavailable", message, address, f"unset AWS_NO_SIGN_REQUEST; {remedy}")
    message = "the store refuses the key: it is wrong, or may not read this"
    if not os.environ.get("AWS_ACCESS_KEY_ID"):
        message = "the store refuses to give it, and AWS_ACCESS_KEY_ID names no key"
    elif os.environ.get("AWS_SESSION_TOKEN"):
        remedy = f"{remedy}, and AWS_SESSION_TOKEN its token"
    remedy += "; AWS_NO_SIGN_REQUEST=true reads a public bucket"
    if not endpoint_variable():
        remedy += "; AWS_ENDPOINT_URL names a store that is not Amazon's"
    return Failure("unavailable", message, address, remedy)


def failure_of_google(text: str, address: str) -> Failure:
    if not any(word in text for word in ("PERMISSION_DENIED", "UNAUTHENTICATED", "access token", "credentials")):
        return Failure("unavailable", text, address)
    message = "the store refuses to give it: the credentials are wrong, or may not read this"
    remedy = "GOOGLE_APPLICATION_CREDENTIALS names their file"
    remedy += "; CLOUDSDK_AUTH_DISABLE_CREDENTIALS=true reads a public bucket"
    return Failure("unavailable", message, address, remedy)
