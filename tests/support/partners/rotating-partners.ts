import { createHmac, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { aPairOver, basicOf, type Pair, type PairSettings } from '../signatures/a-pair';
import { json, type Behaviour } from './stub-behaviours';
import type { Received, StubPartner } from './stub-partner';
import { StubHostApp, StubMiniapp } from './stub-sign-on';

/** Where the two processes say that they are; `{url}` is built from it. */
export const publicBaseUrl = 'https://platform.example';
const apiClientId = 'cid_1';

/** How long before the end of its grace time a partner sends the old value for the last time, in milliseconds. */
const marginMs = 500;

/** What a partner holds of one credential, and which values it sends and takes at this time. */
export class Held {
  /** How often each value was sent. */
  readonly sent = { old: 0, fresh: 0 };
  /** How often the platform came with each value, and with none that is taken. */
  readonly met = { old: 0, fresh: 0, none: 0 };
  private fresh: string | undefined;
  private sendsFresh = false;
  private takesOld = true;
  private oldUntil = Infinity;

  constructor(readonly old: string) {}

  /** From now on the new value is taken too. */
  learn(fresh: string): void {
    this.fresh = fresh;
  }

  /** From now on the new value is sent in turn with the old one. */
  begin(): void {
    this.sendsFresh = true;
  }

  /** When the old value ends: milliseconds since the epoch. */
  ends(at: number): void {
    this.oldUntil = at;
  }

  /** Milliseconds until the old value ends; 0: it has, or it ends in no set time. */
  endsIn(): number {
    return Number.isFinite(this.oldUntil) ? Math.max(0, this.oldUntil - Date.now()) : 0;
  }

  /** From now on the old value is not taken any more. */
  forget(): void {
    this.takesOld = false;
  }

  get newest(): string {
    return this.fresh ?? this.old;
  }

  next(): string {
    const over = Date.now() > this.oldUntil - marginMs;
    // A partner that learned of it late skips the time of both.
    const which = over || (this.sendsFresh && this.sent.fresh < this.sent.old) ? 'fresh' : 'old';
    this.sent[which]++;
    return which === 'fresh' ? this.newest : this.old;
  }

  /** Whether the request proves the platform, by an accepted value. */
  proven(fits: (value: string) => boolean): boolean {
    const by = this.fresh !== undefined && fits(this.fresh) ? 'fresh' : this.takesOld && fits(this.old) ? 'old' : 'none';
    this.met[by]++;
    return by !== 'none';
  }
}

/** A host app and a miniapp with back ends that take nothing without proof. */
export interface RotatingPair extends Pair {
  readonly hostApp: StubHostApp;
  readonly miniapp: StubMiniapp;
}

export async function aRotatingPair(serviceUrl: string, settings: PairSettings): Promise<RotatingPair> {
  const [hostApp, miniapp] = [await new StubHostApp().start(), await new StubMiniapp().start()];
  hostApp.on('/events', json({}));
  const pair = await aPairOver(serviceUrl, {
    hostAppUrl: hostApp.url,
    miniappUrl: miniapp.url,
    ...settings,
    hostApp: { events_bridge_url: `${hostApp.url}/events`, ...settings.hostApp },
  });
  return { ...pair, hostApp, miniapp };
}

/** From now on the path answers only where the request is proven. */
export function guard(stub: StubPartner, path: string, isProven: (received: Received) => boolean): void {
  const usual = stub.usual(path);
  const refused: Behaviour = json({ error_code: 'ACCESS_DENIED', error_message: 'No proof' }, { status: 403 });
  stub.on(path, (received, response) => (isProven(received) ? usual : refused)(received, response));
}

export const hasBasic =
  ({ headers }: Received, user: string) =>
  (secret: string): boolean =>
    headers.authorization === basicOf(user, secret).Authorization;

const textOf = (url: string, timestamp: string, body: string): string => `POST.${url}.${apiClientId}.${timestamp}.${body}`;

/** The signed text of a request of the platform, as its receiver builds it. */
const receivedText = (received: Received, url: string): Buffer =>
  Buffer.from(textOf(url, String(received.headers['x-timestamp']), received.body.toString('utf8')));
const signatureOf = ({ headers }: Received): Buffer => Buffer.from(String(headers['x-signature']), 'base64');

export const hasHmac =
  (received: Received, url: string) =>
  (secret: string): boolean =>
    createHmac('sha256', secret).update(receivedText(received, url)).digest().equals(signatureOf(received));

export const hasKeySignature =
  (received: Received, url: string) =>
  (publicPem: string): boolean =>
    verify('sha256', receivedText(received, url), createPublicKey(publicPem), signatureOf(received));

/** The headers with which a partner signs a call to the platform. */
export function signedHeaders(path: string, body: string, key: string | KeyObject): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const text = Buffer.from(textOf(`${publicBaseUrl}${path}`, timestamp, body));
  const signature = typeof key === 'string' ? createHmac('sha256', key).update(text).digest() : sign('sha256', text, key);
  return { 'X-Client-Id': apiClientId, 'X-Timestamp': timestamp, 'X-Signature': signature.toString('base64') };
}

/** Signature settings of a partner that signs and wants to be signed to. */
export const signing = (algorithm: 'HMAC' | 'ECDSA', secret: object) => ({
  signature: { enabled: true, algorithm, api_client_id: apiClientId, ...secret },
});
