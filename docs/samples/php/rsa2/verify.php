<?php
// Checks a request that Pierhead signed: php verify.php POST https://… headers.txt < body.json
// PUBLIC_KEY_FILE names the file of the platform's public key (SPKI, PEM). 300 seconds are allowed between its clock and yours.
// The URL is the one that you registered, the body comes byte by byte as it was sent.
function verify(string $method, string $address, array $headers, string $body, ?float $now = null): bool
{
    $sent = array_change_key_case($headers);
    $clientId = "cid_1";
    if (($sent["x-client-id"] ?? '') !== $clientId) return false;
    $url = $address;
    $timestamp = $sent["x-timestamp"] ?? '';
    if (!preg_match('/^[1-9][0-9]{0,18}$/D', $timestamp)) return false;
    if (abs((float) $timestamp - ($now ?? microtime(true))) > 300) return false;
    $text = $method . "." . $url . "." . $clientId . "." . $timestamp . "." . $body;
    $given = $sent["x-signature"] ?? '';
    $key = file_get_contents(getenv('PUBLIC_KEY_FILE'));
    $encoded = $given;
    $made = base64_decode($encoded, true);
    return $made !== false && openssl_verify($text, $made, openssl_pkey_get_public($key), 'sha256') === 1;
}

if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    foreach (file($argv[3], FILE_IGNORE_NEW_LINES) as $line) {
        [$name, $value] = explode(': ', $line, 2);
        $headers[$name] = $value;
    }
    $now = isset($argv[4]) ? (float) $argv[4] : null;
    exit(verify($argv[1], $argv[2], $headers, file_get_contents('php://stdin'), $now) ? 0 : 1);
}
