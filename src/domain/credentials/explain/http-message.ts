import { withoutBlanks } from '../../shared/without-ends';
import type { InboundRequest } from '../check';

/** Thrown for text that is no HTTP request; the message names the part, and quotes nothing. */
export class HttpMessageRefused extends Error {}

const requestLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,32}) (\S+) HTTP\/\d(?:\.\d)?$/;
const header = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):(.*)$/;

/** Generous limits: this service itself accepts heads of at most 16 KiB. */
const longestHead = 65_536;
const longestLine = 16_384;
const maxHeaders = 100;

/**
 * Reads a request from the wire or a file (RFC 9112): request line, headers, a blank line, body; lines end with CR LF or LF. The body has
 * the length of Content-Length; without one, a line break at its end counts as the file's and is dropped. Throws HttpMessageRefused.
 */
export function readHttpMessage(message: Uint8Array): InboundRequest {
  const { head, body } = partsOf(message);
  if (head.length > longestHead) throw new HttpMessageRefused(`what stands before the body is longer than ${longestHead} bytes`);
  const [first = '', ...lines] = new TextDecoder().decode(head).split(/\r?\n/);
  const [, method, target] = requestLine.exec(first.trim()) ?? [];
  if (method === undefined || target === undefined) throw new HttpMessageRefused('the first line must be like: POST /path HTTP/1.1');
  const rawHeaders: string[] = [];
  if (lines.length > maxHeaders) throw new HttpMessageRefused(`there are more than ${maxHeaders} headers`);
  for (const [i, line] of lines.entries()) {
    if (line.length > longestLine) throw new HttpMessageRefused(`line ${String(i + 2)} is longer than ${longestLine} characters`);
    const [, name, value] = header.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new HttpMessageRefused(`line ${String(i + 2)} is no header: name, colon, value`);
    rawHeaders.push(name, withoutBlanks(value));
  }
  return { method, target: pathOf(target), rawHeaders, body: bodyOf(body, lengthOf(rawHeaders)), remoteAddress: '' };
}

const lf = 0x0a;
const cr = 0x0d;

/** Splits at the first blank line. */
function partsOf(message: Uint8Array): { head: Uint8Array; body: Uint8Array } {
  for (let at = 0; at < message.length; at++) {
    if (message[at] !== lf) continue;
    const next = message[at + 1] === cr ? at + 2 : at + 1;
    if (message[next] === lf) return { head: message.subarray(0, message[at - 1] === cr ? at - 1 : at), body: message.subarray(next + 1) };
  }
  let end = message.length;
  while (end > 0 && (message[end - 1] === lf || message[end - 1] === cr)) end--;
  return { head: message.subarray(0, end), body: new Uint8Array() };
}

/** Returns path and query of a target; a target in absolute form, as proxies send it, also contains the host. */
const pathOf = (target: string): string => (/^https?:\/\//i.test(target) ? target.replace(/^https?:\/\/[^/?]*/i, '') || '/' : target);

function lengthOf(rawHeaders: readonly string[]): number | undefined {
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-length');
  const value = at < 0 ? '' : (rawHeaders[at + 1] ?? '');
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

function bodyOf(body: Uint8Array, length: number | undefined): Uint8Array {
  if (length !== undefined) return body.slice(0, length);
  const line = body.at(-1) !== lf ? 0 : body.at(-2) === cr ? 2 : 1;
  return body.slice(0, body.length - line);
}
