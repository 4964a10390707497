import { connect, createServer } from 'node:tls';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { InformationalAnswers, skipInformational } from '../../../src/adapters/out/partner-http/informational-answers';
import { selfSigned } from '../../support/partners/self-signed';

const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 28\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nBody';
const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';

const limit = 16_384;
/** The rest of pieces that came one after the other. */
function left(pieces: readonly string[]): string {
  const answers = new InformationalAnswers(limit);
  answers.expect();
  return pieces.map((piece) => answers.without(Buffer.from(piece, 'latin1')).toString('latin1')).join('') + answers.release().toString();
}
const codeOf = (pieces: readonly string[]): unknown => {
  try {
    return left(pieces);
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('before an answer', () => {
  it.each([
    ['nothing', ''],
    ['one to go on', goOn],
    ['one without a reason', 'HTTP/1.1 100\r\n\r\n'],
    ['several', early + goOn + early],
    ['ten', goOn.repeat(10)],
  ])('%s is left out, and nothing of the answer', (_what, before) => {
    expect(left([before + answer])).toBe(answer);
  });

  it('it is left out wherever the bytes are cut', () => {
    const whole = early + goOn + answer;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: whole.length }), { maxLength: 8 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((end, i) => whole.slice(at[i], end));
        expect(left(pieces)).toBe(answer);
      }),
    );
    expect(left([...whole])).toBe(answer);
  });

  it.each([
    ['eleven', [goOn.repeat(11) + answer], 'NOT_HTTP'],
    ['another protocol', [goOn, 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'], 'NOT_HTTP'],
    ['more than the limit in one', ['HTTP/1.1 103 Early Hints\r\nX-A: ', 'a'.repeat(limit)], 'HEADERS_TOO_LARGE'],
    ['more than the limit in several', [`HTTP/1.1 103 Early Hints\r\nX-A: ${'a'.repeat(9000)}\r\n\r\n`.repeat(2)], 'HEADERS_TOO_LARGE'],
  ])('%s is refused: %#', (_what, pieces, code) => {
    expect(codeOf(pieces)).toBe(code);
  });

  it.each([
    '\x15\x03\x01\x00\x02\x02F',
    '220 mail.example ESMTP\r\n',
    'HTTP/1.1 1',
    'HTTP/2.0 100 Continue\r\n\r\n',
    'HTTP/1.1 1xx\r\n\r\n',
    'x',
  ])('any other text passes unchanged: %j', (text) => {
    expect(left([text])).toBe(text);
  });

  it('each request has its own', () => {
    const answers = new InformationalAnswers(limit);
    for (let request = 0; request < 3; request++) {
      answers.expect();
      expect(answers.without(Buffer.from(goOn.repeat(10) + answer)).toString()).toBe(answer);
    }
  });
});

it('is removed from TLS connections, too', async () => {
  const server = createServer(selfSigned, (socket) => socket.end(early + goOn + answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', ca: selfSigned.cert, servername: 'partner.example' });
  skipInformational(socket, limit).expect();
  let text = '';
  for await (const piece of socket) text += String(piece);
  await new Promise((resolve) => server.close(resolve));
  expect(text).toBe(answer);
});
