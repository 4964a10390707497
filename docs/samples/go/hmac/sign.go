// Prints the headers that sign a request: go run sign.go POST https://… < body.json
// HMAC_SECRET holds the HMAC secret. Send the very bytes that were signed.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

const clientID = "cid_1"

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func signatureHeaders(method, address string, body []byte) [][2]string {
	url := address
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	var text bytes.Buffer
	text.WriteString(method)
	text.WriteString(".")
	text.WriteString(url)
	text.WriteString(".")
	text.WriteString(clientID)
	text.WriteString(".")
	text.WriteString(timestamp)
	text.WriteString(".")
	text.Write(body)
	secret := os.Getenv("HMAC_SECRET")
	key := []byte(secret)
	if strings.HasPrefix(secret, "whsec_") {
		key = must(base64.RawStdEncoding.DecodeString(strings.TrimRight(secret[6:], "=")))
	}
	mac := hmac.New(sha256.New, key)
	mac.Write(text.Bytes())
	made := mac.Sum(nil)
	signature := base64.StdEncoding.EncodeToString(made)
	return [][2]string{
		{"X-Client-Id", clientID},
		{"X-Timestamp", timestamp},
		{"X-Signature", signature},
	}
}

func main() {
	for _, header := range signatureHeaders(os.Args[1], os.Args[2], must(io.ReadAll(os.Stdin))) {
		fmt.Printf("%s: %s\n", header[0], header[1])
	}
}
