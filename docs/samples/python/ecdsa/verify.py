# Checks a request that Pierhead signed: python3 verify.py POST https://… headers.txt < body.json
# PUBLIC_KEY_FILE names the file of the platform's public key (SPKI, PEM). 300 seconds are allowed between its clock and yours.
import base64, os, re, sys, time
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding

CLIENT_ID = "cid_1"

def verify(method, address, headers, body, now=None):
    """Whether it fits: the URL as you registered it, the headers, and the body byte by byte as it came."""
    sent = {name.lower(): value for name, value in headers.items()}
    if sent.get("x-client-id") != CLIENT_ID: return False
    url = address
    timestamp = sent.get("x-timestamp", "")
    if not re.fullmatch("[1-9][0-9]{0,18}", timestamp): return False
    if abs(int(timestamp) - (time.time() if now is None else now)) > 300: return False
    text = method.encode() + ".".encode() + url.encode() + ".".encode() + CLIENT_ID.encode() + ".".encode() + timestamp.encode() + ".".encode() + body
    given = sent.get("x-signature", "")
    with open(os.environ["PUBLIC_KEY_FILE"], "rb") as file:
        key = serialization.load_pem_public_key(file.read())
    encoded = given
    try:
        made = base64.b64decode(encoded, validate=True)
        key.verify(made, text, ec.ECDSA(hashes.SHA256()))
    except (ValueError, InvalidSignature):
        return False
    return True

if __name__ == "__main__":
    with open(sys.argv[3]) as file:
        headers = dict(line.rstrip("\n").split(": ", 1) for line in file)
    now = float(sys.argv[4]) if len(sys.argv) > 4 else None
    sys.exit(0 if verify(sys.argv[1], sys.argv[2], headers, sys.stdin.buffer.read(), now) else 1)
