# Prints the headers that sign a request: python3 sign.py POST https://… < body.json
# HMAC_SECRET holds the HMAC secret. Send the very bytes that were signed.
import base64, hashlib, hmac, os, secrets, sys, time, urllib.parse

CLIENT_ID = "cid_1"

def signature_headers(method, address, body):
    url = address
    timestamp = str(time.time_ns() // 1_000_000_000)
    text = method.encode() + ".".encode() + url.encode() + ".".encode() + CLIENT_ID.encode() + ".".encode() + timestamp.encode() + ".".encode() + body
    secret = os.environ["HMAC_SECRET"]
    key = base64.b64decode(secret[6:] + "==") if secret.startswith("whsec_") else secret.encode()
    made = hmac.new(key, text, hashlib.sha256).digest()
    signature = base64.b64encode(made).decode()
    return {
        "X-Client-Id": CLIENT_ID,
        "X-Timestamp": timestamp,
        "X-Signature": signature,
    }

if __name__ == "__main__":
    for name, value in signature_headers(sys.argv[1], sys.argv[2], sys.stdin.buffer.read()).items():
        print(f"{name}: {value}")
