import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawRequest } from './raw-call';

/** Who the inputs come from: a partner with credentials, its operator. */
export interface Senders {
  readonly operator: string;
  readonly clientId: string;
  readonly appId: string;
  readonly hostAppBasic: string;
  readonly miniappBasic: string;
}

/** Numbers from 0 to below 1, the same ones for a seed (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly string[];
}

interface Operation {
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Every endpoint that the references describe, and the pages. */
export const endpoints: readonly Endpoint[] = [...described('api', '/api/v1'), ...described('manage', '/manage/v1'), ...pages()];

function described(name: string, base: string): Endpoint[] {
  const { paths, components } = JSON.parse(readFileSync(join(__dirname, `../../docs/reference/openapi/${name}.json`), 'utf8')) as Document;
  const fieldsOf = ({ requestBody }: Operation): string[] => {
    const schema = requestBody?.content?.['application/json']?.schema ?? {};
    const found = schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    return Object.keys((found as { properties?: object } | undefined)?.properties ?? {});
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path: base + path, fields: fieldsOf(operation) })),
  );
}

function pages(): Endpoint[] {
  const paths = ['/docs', '/docs/guides/{name}', '/docs/{name}', '/docs/assets/{name}', '/docs/images/{name}', '/docs/reference/{name}.md'];
  const more = [
    '/openapi/{name}.json',
    '/llms.txt',
    '/dashboard/',
    '/dashboard/{name}',
    '/evidence/{name}',
    '/.well-known/{name}',
    '/{name}',
  ];
  return [...paths, ...more, '/health/ready', '/health/live'].map((path) => ({ method: 'GET', path, fields: [] }));
}

const runs = [
  ' ',
  '\t',
  '0',
  'a',
  '=',
  '/',
  '.',
  ',',
  ';',
  '"',
  "'",
  '[',
  '(',
  '`',
  '%',
  '&',
  '-',
  '\\',
  '?',
  '@',
  ':',
  '*',
  '|',
  '{',
  '<',
];
const escapes = ['%00', '%FF', '%ED%A0%80', '%C0%80', '%2e%2e%2f', '%0d%0a', '%F0%9F%98%80', "'%20or%201=1", '%u0000', '..'];
const names = ['__proto__', 'constructor', 'toString', '', 'x'.repeat(5_000)];
const oddMethods = ['HEAD', 'OPTIONS', 'PATCH', 'DELETE', 'PUT', 'TRACE', 'PROPFIND'];
const someHeaders = [
  ...['X-Forwarded-For', 'Authorization', 'Cookie', 'Idempotency-Key', 'X-Request-Id', 'traceparent', 'tracestate', 'If-Match'],
  ...['If-None-Match', 'Accept', 'Accept-Encoding', 'Range', 'X-Signature', 'X-Timestamp', 'X-Client-Id', 'Origin', 'Referer', 'Forwarded'],
  ...['Sec-Fetch-Site', 'X-Hostapp-Client-Id', 'X-Miniapp-App-Id', 'Last-Event-ID', 'User-Agent', 'Accept-Language', 'If-Modified-Since'],
];

/** Values of about 200 kB whose reading and printing cost most. */
const manySmallValues: readonly unknown[] = [
  Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${String(i)}`, 1])),
  Array<number>(100_000).fill(1),
  Array<object>(70_000).fill({}),
  Array<unknown>(3_500).fill(JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`)),
  'é'.repeat(100_000),
];

const secondsNow = (): string => String(Math.floor(Date.now() / 1000));

/** Makes hostile requests, one after another, the same ones for a seed. */
export class HostileInputs {
  private readonly next: () => number;
  private made = 0;

  constructor(
    seed: number,
    private readonly senders: Senders,
  ) {
    this.next = chance(seed);
  }

  /** The endpoints in turn, so that each has its share; every fiftieth is one that held up the service once. */
  request(): RawRequest {
    const number = this.made++;
    if (number % 50 === 0) return this.known(number / 50);
    const { method, path, fields } = endpoints[number % endpoints.length]!;
    const isOdd = this.next() < 0.03;
    const used = isOdd ? this.one(oddMethods) : method;
    const hasBody = ['POST', 'PUT', 'PATCH'].includes(used) || this.next() < 0.03;
    return {
      method: used,
      target: this.target(path, used === 'DELETE' || path.endsWith('/revoke')),
      headers: [...this.credentials(path), ...this.headers(), ...(hasBody ? [['Content-Type', this.contentType()] as const] : [])],
      body: hasBody ? this.body(fields) : Buffer.alloc(0),
    };
  }

  /**
   * What stood in the cases: a header of blanks and a long number to the explainer, X-Forwarded-For of blanks, NUL in a search; and long
   * bodies of many small values with a wrong signature, each tried in every form.
   */
  private known(number: number): RawRequest {
    const { clientId, appId, operator, miniappBasic } = this.senders;
    const explain = (http: string): RawRequest => ({
      ...{ method: 'POST', target: '/manage/v1/signatures/explain' },
      headers: [json, ['Authorization', `Bearer ${operator}`]],
      body: Buffer.from(JSON.stringify({ app_id: appId, http })),
    });
    const first = 'POST /api/v1/events/miniapp/ HTTP/1.1\nHost: x\n';
    const forwarded: RawRequest = {
      ...{ method: 'POST', target: '/api/v1/connect/', body: Buffer.from('{}') },
      headers: [json, ['X-Forwarded-For', `1${' '.repeat(15_000)}1`]],
    };
    const search = { method: 'GET', target: '/manage/v1/search?q=%00', body: Buffer.alloc(0) };
    const zeros = `{"client_id":"${clientId}","app_id":"${appId}","event_type":"x","payload":{"a":1.${'0'.repeat(60_000)}1}}`;
    const event = { method: 'POST', target: '/api/v1/events/miniapp/', body: Buffer.from(zeros) };
    const signed = (value: unknown): RawRequest => ({
      ...{ method: 'POST', target: '/api/v1/events/miniapp/' },
      headers: [json, ['Authorization', miniappBasic], ['X-Signature', 'AAAA'], ['X-Client-Id', 'cid_1'], ['X-Timestamp', secondsNow()]],
      body: Buffer.from(JSON.stringify({ client_id: clientId, app_id: appId, event_type: 'x', payload: { a: value } })),
    });
    const all: readonly RawRequest[] = [
      explain(`${first}X-A: a${' '.repeat(60_000)}b\n\n{}`),
      explain(`${first}X-Signature: ${'c2ln'.repeat(11)}\nX-Timestamp: 1\nX-Client-Id: a\n\n${zeros}`),
      forwarded,
      { ...search, headers: [['Authorization', `Bearer ${operator}`]] },
      { ...event, headers: [json, ['Authorization', miniappBasic], ['X-Signature', 'c2ln'.repeat(11)], ['X-Timestamp', '1']] },
      ...manySmallValues.map(signed),
    ];
    return all[number % all.length]!;
  }

  private one<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!;
  }

  /** A run of one sign, or of few, with another end. */
  private long(maxLength: number): string {
    const piece = this.one([...runs, ...runs.map((run) => `a${run}`), '(a', '"a"', '[[', '](', 'é', '😀']);
    const length = Math.floor(maxLength ** this.next());
    return `${this.one(['', 'a', '1'])}${piece.repeat(Math.ceil(length / piece.length))}${this.one(['', '!', 'x', '0'])}`.slice(
      0,
      maxLength,
    );
  }

  /** `ends`: what the path names would be gone afterwards, so that it names nobody's. */
  private target(path: string, ends: boolean): string {
    const { clientId, appId } = this.senders;
    const named: Readonly<Record<string, string>> = { client_id: clientId, app_id: appId };
    const filled = path.replace(/\{([a-z_]+)\}/g, (_all, name: string) => {
      if (!ends && named[name] !== undefined && this.next() < 0.6) return named[name];
      return this.one([() => this.one(escapes), () => 'x'.repeat(64), () => encodeURIComponent(this.long(2_000)), () => '1'])();
    });
    if (this.next() < 0.5) return filled;
    const queries = [
      () => `q=${this.one(escapes)}`,
      () => `cursor=${encodeURIComponent(this.long(2_000))}&limit=${'0'.repeat(1_000)}1`,
      () => 'a=1&'.repeat(2_000),
      () => `client_id=${this.one(escapes)}&app_id=${encodeURIComponent(this.long(3_000))}`,
      () => `from=${'9'.repeat(500)}&to=2026-01-01T00:00:00${'0'.repeat(500)}Z&q=${'%25'.repeat(1_000)}`,
      () => `${this.one(names.slice(0, 3))}=1&q=${clientId}&q=${appId}`,
      () => `q=${encodeURIComponent(this.long(2_000))}`,
    ];
    return `${filled}?${this.one(queries)()}`;
  }

  private credentials(path: string): [string, string][] {
    const { operator, hostAppBasic, miniappBasic, clientId, appId } = this.senders;
    if (this.next() < 0.1) return [];
    if (path.startsWith('/manage')) return [['Authorization', `Bearer ${operator}`]];
    if (!path.startsWith('/api')) return [];
    const ids: [string, string][] = [
      ['X-Hostapp-Client-Id', clientId],
      ['X-Miniapp-App-Id', appId],
    ];
    return [['Authorization', this.next() < 0.5 ? hostAppBasic : miniappBasic], ...(path.includes('analytics') ? ids : [])];
  }

  private headers(): [string, string][] {
    const made: [string, string][] = [];
    for (let left = Math.floor(this.next() * 3), room = 13_000; left > 0; left--) {
      const value = this.one([
        () => this.long(room),
        () => `a=b; `.repeat(room / 10),
        () => `"x", `.repeat(room / 10),
        () => '00-' + '0'.repeat(room / 2),
        () => `Basic ${'='.repeat(room / 2)}`,
        () => 'bytes=0-1,'.repeat(room / 20),
      ])();
      room = Math.floor((room - value.length) / 2) + 100;
      made.push([this.one(someHeaders), Buffer.from(value).toString('latin1')]);
    }
    return made;
  }

  private contentType(): string {
    const odd = [`multipart/form-data; boundary=${'-'.repeat(2_000)}`, 'application/x-www-form-urlencoded', 'application/merge-patch+json'];
    if (this.next() < 0.9) return 'application/json';
    return this.one([...odd, `application/json;${' '.repeat(5_000)}charset=utf-8`, `application/json${'; a=b'.repeat(1_000)}`]);
  }

  private body(fields: readonly string[]): Buffer {
    const { clientId, appId } = this.senders;
    const text = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
    const size = 200_000;
    const ids = { client_id: clientId, app_id: appId };
    const kinds: readonly (() => Buffer)[] = [
      ...[() => this.fields(fields, ids), () => this.fields(fields, ids), () => this.fields(fields, ids), () => this.fields(fields, {})],
      () => Buffer.from(`${'['.repeat(size / 2)}${']'.repeat(size / 2)}`),
      () => Buffer.from('{"a":'.repeat(62) + '1' + '}'.repeat(62)),
      () => text(Object.fromEntries(Array.from({ length: 15_000 }, (_, i) => [`m${String(i)}`, i]))),
      () => text({ ...ids, payload: { a: this.long(size) } }),
      () => Buffer.from(`{"payload":{"a":1.${'0'.repeat(60_000)}1},"b":${'9'.repeat(60_000)},"c":1e${'9'.repeat(300)}}`),
      () => Buffer.from(`{${'"a":1,'.repeat(2_000)}"a":2}`),
      () => Buffer.from(`{"a":"\\ud800","b":"\\u0000"}`),
      () => Buffer.from(`${' '.repeat(size)}{}${'\n'.repeat(1_000)}`),
      () => Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(5_000, 0xff), Buffer.from('"}')]),
      () => Buffer.from(`--${'-'.repeat(60)}\r\nContent-Disposition: form-data; name="${this.long(5_000)}"\r\n\r\n`.repeat(20)),
      () => text([...Array<number>(30_000).keys()]),
      () => Buffer.from(`{"a":"${'\\u0041'.repeat(30_000)}"}`),
      () => Buffer.alloc(270_000, 0x20),
    ];
    return this.one(kinds)();
  }

  /** The members that the endpoint reads, some of them hostile. */
  private fields(fields: readonly string[], ids: object): Buffer {
    const value = (): unknown =>
      this.one([
        () => this.long(60_000),
        () => this.long(200),
        () => Array.from({ length: 2_000 }, () => this.long(20)),
        () => ({ [this.one(names)]: this.long(5_000), enabled: true }),
        () => null,
        () => -1e308,
        () => true,
        () => '-----BEGIN PUBLIC KEY-----\n' + this.long(20_000),
        () => ({ http: this.long(10_000), headers: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`h${String(i)}`, 'x'])) }),
      ])();
    const used = fields.filter(() => this.next() < 0.4);
    return Buffer.from(JSON.stringify({ ...ids, ...Object.fromEntries(used.map((name) => [name, value()])) }));
  }
}

const json: readonly [string, string] = ['Content-Type', 'application/json'];
