import { fork } from 'node:child_process';
import { join } from 'node:path';

export interface FloodOrder {
  readonly port: number;
  /** Whole requests, taken in turn. */
  readonly calls: readonly string[];
  readonly perSecond: number;
  readonly ms: number;
  /** Calls that are due while all of them wait for an answer are left out. */
  readonly connections: number;
  /** True: each connection in turn, so that none waits for ten seconds without a request and is closed. */
  readonly rotate?: boolean;
  /** Calls within so many milliseconds from the first are not reported; 0 where absent. */
  readonly untoldMs?: number;
}

export interface FloodReport {
  readonly sent: number;
  readonly leftOut: number;
  /** Half a minute after the last was sent. */
  readonly unanswered: number;
  /** By call: how many were answered how: with `200`, `429 too-many` or `400 UNEXPECTED_RESPONSE_ERROR/partner-saturated`; `cut off`: not. */
  readonly went: readonly Readonly<Record<string, number>>[];
  /** By call: milliseconds within which 90 % of the answers of 200 came. */
  readonly p90: readonly number[];
  /** By call: the same for 99 %. */
  readonly p99: readonly number[];
}

/** Offers calls at a rate, whatever becomes of them, from a process of its own. */
export function flood(order: FloodOrder): Promise<FloodReport> {
  const process = fork(join(__dirname, 'offer-calls.cjs'), { execArgv: [] });
  return new Promise((resolve, reject) => {
    process.once('message', (report) => {
      resolve(report as FloodReport);
    });
    process.once('exit', (code) => {
      reject(new Error(`The flood ended with ${String(code)}`));
    });
    process.send(order);
  });
}

/** A request as it goes over the wire. */
export function requestText(path: string, headers: Readonly<Record<string, string>>, body: string): string {
  const all = { Host: 'flood', 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${path} HTTP/1.1`, ...lines, '', body].join('\r\n');
}

/** A request without a body as it goes over the wire. */
export function getText(path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ Host: 'flood', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}
