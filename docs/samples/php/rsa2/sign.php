<?php
// Prints the headers that sign a request: php sign.php POST https://… < body.json
// PRIVATE_KEY_FILE names the file of your private key (PKCS #8, PEM). Send the very bytes that were signed.
function signatureHeaders(string $method, string $address, string $body): array
{
    $clientId = "cid_1";
    $url = $address;
    $timestamp = (string) time();
    $text = $method . "." . $url . "." . $clientId . "." . $timestamp . "." . $body;
    $key = file_get_contents(getenv('PRIVATE_KEY_FILE'));
    openssl_sign($text, $made, openssl_pkey_get_private($key), 'sha256');
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
