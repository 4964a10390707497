// Prints the headers that sign a request: go run sign.go POST https://… < body.json
// PRIVATE_KEY_FILE names the file of your private key (PKCS #8, PEM). Send the very bytes that were signed.
package main

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"strconv"
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
	der := must(os.ReadFile(os.Getenv("PRIVATE_KEY_FILE")))
	block, _ := pem.Decode(der)
	der = block.Bytes
	key := must(x509.ParsePKCS8PrivateKey(der)).(*rsa.PrivateKey)
	digest := sha256.New()
	digest.Write(text.Bytes())
	made := must(rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, digest.Sum(nil)))
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
