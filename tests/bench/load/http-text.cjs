// As much of HTTP/1.1 as those speak who make the load and answer it: bodies with their length, one call at a time on each connection.
// Bytes are characters (latin1), so that lengths are those of bytes.

/** A request with all its bytes. */
function requestText({ method, path, headers, body }, host) {
  const told = { host, ...headers, 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(told).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`).toString('latin1');
}

/** How long the first request or answer in the text is; 0 where some of it is still to come. */
function lengthOf(text) {
  const head = text.indexOf('\r\n\r\n') + 4;
  if (head < 4) return 0;
  const length = head + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return length <= text.length ? length : 0;
}

module.exports = { requestText, lengthOf };
