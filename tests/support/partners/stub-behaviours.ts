import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { Received } from './stub-partner';

/** How a stub meets one request. */
export type Behaviour = (received: Received, response: ServerResponse) => void | Promise<void>;

export interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const type = 'application/json; charset=utf-8';

/** Any bytes under any type. */
export const bytes =
  (contentType: string | undefined, body: string | Uint8Array, { status = 200, headers = {} }: AnswerOptions = {}): Behaviour =>
  (_received, response) => {
    response.writeHead(status, { ...(contentType === undefined ? {} : { 'Content-Type': contentType }), ...headers });
    response.end(body);
  };

/** JSON; a string is taken for JSON text. */
export const json = (body: unknown, options: AnswerOptions = {}): Behaviour =>
  bytes(type, typeof body === 'string' ? body : JSON.stringify(body), options);

/** A refusal as partners of this family give it: 200 and an `error_code`. */
export const refusalOf = (code: string, options: AnswerOptions = {}): Behaviour =>
  json({ error_code: code, error_message: `Refused: ${code}` }, options);

/** Waits until `release` is called, then behaves as told. */
export function held(then: Behaviour): { readonly behaviour: Behaviour; release(): void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    behaviour: async (received, response) => {
      await released;
      await then(received, response);
    },
    release: () => release(),
  };
}

export const hangBeforeHeaders: Behaviour = () => undefined;

export const hangInBody: Behaviour = (_received, response) => {
  response.writeHead(200, { 'Content-Type': type });
  response.write('{"access_token":');
};

/** One byte a second of an answer that would be good. */
export const drip: Behaviour = (_received, response) => {
  response.writeHead(200, { 'Content-Type': type });
  const text = '{"access_token":"slow","auth_token":"slow","reference":"slow"}';
  let sent = 0;
  const timer = setInterval(() => response.write(text[sent++ % text.length] ?? ' '), 1000);
  response.write(' ');
  response.once('close', () => clearInterval(timer));
};

/** One byte a second of a head that would be good. */
export const dripInHead: Behaviour = ({ socket }) => {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n`;
  let sent = 0;
  const timer = setInterval(() => socket.write(head[sent++ % head.length] ?? ' '), 1000);
  socket.write('H');
  socket.once('close', () => clearInterval(timer));
};

export const reset: Behaviour = (received) => {
  received.socket.resetAndDestroy();
};

/** Headers, half a body, and then nothing: the connection is closed. */
export const earlyClose: Behaviour = (_received, response) => {
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': '100' });
  response.write('{"access_token":"half');
  setImmediate(() => response.destroy());
};

/** A length that says less than is sent. */
export const wrongLength: Behaviour = ({ socket }) => {
  socket.end(
    `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: 10\r\n\r\n{"access_token":"long","auth_token":"long","reference":"long"}`,
  );
};

export const html: Behaviour = bytes('text/html', '<html><body>Welcome</body></html>');
export const empty: Behaviour = bytes(type, '');
export const nothing: Behaviour = bytes(undefined, '', { status: 204 });
export const invalidJson: Behaviour = bytes(type, '{"access_token":"x",}');
export const brackets: Behaviour = bytes(type, '['.repeat(100_000));

/** 50 MB of blanks before an answer that would be good. */
export const huge: Behaviour = async (_received, response) => {
  response.writeHead(200, { 'Content-Type': type });
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  for (let sent = 0; sent < 50 && !response.destroyed; sent++) {
    if (!response.write(chunk)) await new Promise((resolve) => (response.once('drain', resolve), response.once('close', resolve)));
  }
  response.end('{"access_token":"x"}');
};

/** A body that never ends, sent as fast as it is read. */
export const endless: Behaviour = (_received, response) => {
  response.writeHead(200, { 'Content-Type': type });
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const blanks = new Readable({ read: () => void blanks.push(chunk) });
  pipeline(blanks, response, () => undefined);
};

const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '));
export const gzipBomb: Behaviour = bytes(type, bomb, { headers: { 'Content-Encoding': 'gzip' } });

/** A head of 20 KB, more than is read. */
export const longHead: Behaviour = bytes(type, '{}', { headers: { 'X-Long': 'a'.repeat(20_000) } });

export const redirect = (to: string, status = 302): Behaviour => bytes(type, '{"access_token":"x"}', { status, headers: { Location: to } });
