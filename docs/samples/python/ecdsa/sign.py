# Prints the headers that sign a request: python3 sign.py POST https://… < body.json
# PRIVATE_KEY_FILE names the file of your private key (PKCS #8, PEM). Send the very bytes that were signed.
import base64, hashlib, hmac, os, secrets, sys, time, urllib.parse
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding

CLIENT_ID = "cid_1"

def signature_headers(method, address, body):
    url = address
    timestamp = str(time.time_ns() // 1_000_000_000)
    text = method.encode() + ".".encode() + url.encode() + ".".encode() + CLIENT_ID.encode() + ".".encode() + timestamp.encode() + ".".encode() + body
    with open(os.environ["PRIVATE_KEY_FILE"], "rb") as file:
        key = serialization.load_pem_private_key(file.read(), password=None)
    made = key.sign(text, ec.ECDSA(hashes.SHA256()))
    signature = base64.b64encode(made).decode()
    return {
        "X-Client-Id": CLIENT_ID,
        "X-Timestamp": timestamp,
        "X-Signature": signature,
    }

if __name__ == "__main__":
    for name, value in signature_headers(sys.argv[1], sys.argv[2], sys.stdin.buffer.read()).items():
        print(f"{name}: {value}")
