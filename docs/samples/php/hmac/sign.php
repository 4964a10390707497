<?php
// Prints the headers that sign a request: php sign.php POST https://… < body.json
// HMAC_SECRET holds the HMAC secret. Send the very bytes that were signed.
function signatureHeaders(string $method, string $address, string $body): array
{
    $clientId = "cid_1";
    $url = $address;
    $timestamp = (string) time();
    $text = $method . "." . $url . "." . $clientId . "." . $timestamp . "." . $body;
    $secret = getenv('HMAC_SECRET');
    $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6)) : $secret;
    $made = hash_hmac('sha256', $text, $key, true);
    $signature = base64_encode($made);
    return [
        "X-Client-Id" => $clientId,
        "X-Timestamp" => $timestamp,
        "X-Signature" => $signature,
    ];
}

if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    foreach (signatureHeaders($argv[1], $argv[2], file_get_contents('php://stdin')) as $name => $value) {
        echo "$name: $value\n";
    }
}
