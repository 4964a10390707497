// Checks a request that Pierhead signed: go run verify.go POST https://… headers.txt < body.json
// PUBLIC_KEY_FILE names the file of the platform's public key (SPKI, PEM). 300 seconds are allowed between its clock and yours.
package main

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"io"
	"math"
	"net/http"
	"os"
	"regexp"
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

// Whether it fits: the URL as you registered it, the headers, and the body byte by byte as it came; now in Unix seconds.
func verify(method, address string, sent http.Header, body []byte, now float64) bool {
	if !(sent.Get("X-Client-Id") == clientID) {
		return false
	}
	url := address
	timestamp := sent.Get("x-timestamp")
	if !(regexp.MustCompile(`^[1-9][0-9]{0,18}$`).MatchString(timestamp)) {
		return false
	}
	if !(math.Abs(must(strconv.ParseFloat(timestamp, 64))-now) <= 300) {
		return false
	}
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
	given := sent.Get("x-signature")
	der := must(os.ReadFile(os.Getenv("PUBLIC_KEY_FILE")))
	block, _ := pem.Decode(der)
	der = block.Bytes
	key := must(x509.ParsePKIXPublicKey(der)).(*rsa.PublicKey)
	made, err := base64.StdEncoding.DecodeString(given)
	if err != nil {
		return false
	}
	digest := sha256.New()
	digest.Write(text.Bytes())
	return rsa.VerifyPKCS1v15(key, crypto.SHA256, digest.Sum(nil), made) == nil
}

func main() {
	headers := http.Header{}
	for _, line := range strings.Split(strings.TrimSpace(string(must(os.ReadFile(os.Args[3])))), "\n") {
		name, value, _ := strings.Cut(line, ": ")
		headers.Add(name, value)
	}
	now := float64(time.Now().UnixMilli()) / 1000
	if len(os.Args) > 4 {
		now = must(strconv.ParseFloat(os.Args[4], 64))
	}
	if !verify(os.Args[1], os.Args[2], headers, must(io.ReadAll(os.Stdin)), now) {
		os.Exit(1)
	}
}
