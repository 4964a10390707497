<?php
// A host app's back end with sign.php and verify.php beside it.
// PLATFORM is Pierhead's public address, OWN_URL what stands before the paths that you registered,
// CLIENT_ID your Client ID, HMAC_SECRET what both sides hold.
//   php -S 127.0.0.1:8002 host_app.php
//   php host_app.php connect APP_ID user-mia-0001
//   php host_app.php complete APP_ID ORDER_PAYMENT_ID paid
require __DIR__ . '/sign.php';
require __DIR__ . '/verify.php';

// Calls Pierhead, signed: the bytes that are signed are the bytes that are sent.
function call(string $path, array $body): array
{
    $url = getenv('PLATFORM') . $path;
    $sent = json_encode(['client_id' => getenv('CLIENT_ID')] + $body);
    $headers = ['Content-Type' => 'application/json'] + signatureHeaders('POST', $url, $sent);
    $lines = array_map(fn ($name, $value) => "$name: $value", array_keys($headers), $headers);
    $request = ['method' => 'POST', 'header' => $lines, 'content' => $sent, 'timeout' => 30, 'ignore_errors' => true];
    return json_decode(file_get_contents($url, false, stream_context_create(['http' => $request])), true);
}

if (PHP_SAPI === 'cli') {
    [, $what, $appId, $id] = $argv;
    $answer = $what === 'connect'
        ? call('/api/v1/connect/', ['app_id' => $appId, 'user_data' => ['reference' => $id]])
        : call('/api/v1/orders/complete-order/', ['app_id' => $appId, 'order_payment_id' => $id, 'payment_status' => $argv[4]]);
    echo json_encode($answer), "\n";
    exit;
}

$body = file_get_contents('php://input'); // the bytes as they came, before anything reads them
$path = $_SERVER['REQUEST_URI'];
$headers = array_change_key_case(getallheaders());
header('Content-Type: application/json');
if (!verify('POST', getenv('OWN_URL') . $path, $headers, $body) || ($headers['x-hostapp-client-id'] ?? '') !== getenv('CLIENT_ID')) {
    http_response_code(401);
    echo json_encode(['error_code' => 'INVALID_SIGNATURE', 'error_message' => 'This is not signed as agreed']);
} elseif ($path === '/create') {
    // The same Idempotency-Key is the same payment: derive the id from it, or keep both.
    echo json_encode(['order_payment_id' => 'op-' . substr(hash('sha256', $headers['idempotency-key']), 0, 16)]);
} else {
    http_response_code(404);
    echo json_encode(['error_code' => 'NOT_FOUND', 'error_message' => 'No such path']);
}
