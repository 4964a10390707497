# A miniapp's back end with sign.py and verify.py beside it.
# PLATFORM is Pierhead's public address, OWN_URL what stands before the paths that you registered,
# APP_ID your App ID, HMAC_SECRET what both sides hold.
#   python3 miniapp.py serve 8001
#   python3 miniapp.py order CLIENT_ID order-1 24.90
import json, os, sys, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from sign import signature_headers
from verify import verify

def call(path, body, once):
    """Calls Pierhead, signed: the bytes that are signed are the bytes that are sent. `once` names the call: repeat it with the same."""
    url, sent = os.environ["PLATFORM"] + path, json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Idempotency-Key": once, **signature_headers("POST", url, sent)}
    with urllib.request.urlopen(urllib.request.Request(url, sent, headers), timeout=30) as answer:
        return json.load(answer)

seen = set()  # in a database, where a restart does not forget it

class BackEnd(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        fits = verify("POST", os.environ["OWN_URL"] + self.path, self.headers, body)
        if not fits or self.headers["X-Miniapp-App-ID"] != os.environ["APP_ID"]:
            self.answer(401, {"error_code": "INVALID_SIGNATURE", "error_message": "This is not signed as agreed"})
        elif self.path == "/auth":
            user = json.loads(body)
            self.answer(200, {"auth_token": f"session-of-{user['reference']}"})
        elif self.path == "/webhook":
            # It comes at least once: webhook-id is the same on each attempt.
            if self.headers["webhook-id"] not in seen:
                seen.add(self.headers["webhook-id"])
                payment = json.loads(body)
                print(payment["order_payment_id"], payment["payment_status"], flush=True)
            self.answer(200, {})
        else:
            self.answer(404, {"error_code": "NOT_FOUND", "error_message": "No such path"})

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_): pass

if sys.argv[1] == "serve":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), BackEnd).serve_forever()
else:
    _, _, client_id, order_id, amount = sys.argv
    order = {"currency": "USD", "amount": amount, "miniapp_order_id": order_id}
    body = {"app_id": os.environ["APP_ID"], "client_id": client_id, "order": order}
    print(call("/api/v1/orders/create-order-payment/", body, order_id)["order_payment_id"])
