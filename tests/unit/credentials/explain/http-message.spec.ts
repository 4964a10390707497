import { HttpMessageRefused, readHttpMessage } from '../../../../src/domain/credentials/explain/http-message';

const read = (text: string) => readHttpMessage(Buffer.from(text, 'utf8'));
const bodyOf = (text: string): string => Buffer.from(read(text).body).toString('utf8');

describe('a saved HTTP request', () => {
  it.each(['\n', '\r\n'])('is read with lines that end in %j', (end) => {
    const request = read(['POST /a?b=1 HTTP/1.1', 'Host: x', 'X-Empty:', 'X-Blank:   v  ', '', '{"a":1}'].join(end));
    expect(request).toMatchObject({ method: 'POST', target: '/a?b=1', rawHeaders: ['Host', 'x', 'X-Empty', '', 'X-Blank', 'v'] });
    expect(Buffer.from(request.body).toString()).toBe('{"a":1}');
  });

  it.each([
    ['a line break at the end of the file', 'POST / HTTP/1.1\n\n{}\n', '{}'],
    ['CR LF there', 'POST / HTTP/1.1\r\n\r\n{}\r\n', '{}'],
    ['one of two line breaks', 'POST / HTTP/1.1\n\n{}\n\n', '{}\n'],
    ['nothing where Content-Length counts it', 'POST / HTTP/1.1\nContent-Length: 3\n\n{}\n', '{}\n'],
    ['what is behind Content-Length', 'POST / HTTP/1.1\ncontent-length: 2\n\n{}\n', '{}'],
    ['blank lines inside of the body not', 'POST / HTTP/1.1\n\n{\n\n}', '{\n\n}'],
    ['nothing where there is no body', 'GET / HTTP/1.1\nA: b\n', ''],
    ['a body of bytes that count', 'POST / HTTP/1.1\nContent-Length: 4\n\nZoë\n', 'Zoë'],
  ])('loses %s', (_what, text, body) => {
    expect(bodyOf(text)).toBe(body);
  });

  it('keeps bytes that are no text', () => {
    const request = readHttpMessage(Buffer.concat([Buffer.from('POST / HTTP/1.1\n\n'), Buffer.from([0xff, 0x00])]));
    expect([...request.body]).toEqual([0xff, 0x00]);
  });

  it('takes a target with a host from the path on, and HTTP/2', () => {
    expect(read('GET https://x.example/a?b HTTP/2\n\n').target).toBe('/a?b');
    expect(read('GET http://x.example HTTP/1.0\n\n').target).toBe('/');
  });

  it.each([[''], ['hello'], ['POST /a b HTTP/1.1'], ['POST / HTTP/1.1\nno colon here'], ['POST / HTTP/1.1\n folded: x']])(
    'is not %j',
    (text) => {
      expect(() => read(text)).toThrow(HttpMessageRefused);
    },
  );
});
