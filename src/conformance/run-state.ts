import { randomBytes, randomInt } from 'node:crypto';
import { JsonNumber, JsonObject, type Json } from '../domain/shared/json';
import { printJson } from '../domain/shared/print-json';
import type { Bench } from './bench';
import { jsonOf } from './outcome-checks';
import type { CallInput, CallUser, CallKind, Outcome } from './ports';
import { Blocked, DoesNotApply, Unmet } from './verdict';

/** A signed-on user of the host app. */
export interface Session {
  readonly reference: string;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
}

/** State that the scenarios of one run share: unique ids, and objects that many scenarios need and that are created once. */
export class RunState {
  private readonly run = randomBytes(4).toString('hex');
  private count = 0;
  private codesTaken = 0;
  private session: Session | undefined;
  private paymentId: string | undefined;

  /** A unique id. */
  fresh(prefix: string): string {
    this.count += 1;
    return `${prefix}-${this.run}-${String(this.count)}`;
  }

  /** A unique number with this many digits, which no binary float can hold. */
  digits(length: number): string {
    return `1${Array.from({ length: length - 2 }, () => String(randomInt(10))).join('')}1`;
  }

  /** An unused auth code. Throws DoesNotApply where the settings have none, Blocked where the source returns none. */
  async code(bench: Bench): Promise<string> {
    const { authCodeSource: source, authCodes } = bench.context.test;
    if (!source) {
      const code = authCodes[this.codesTaken++];
      if (code === undefined) throw new DoesNotApply('no unused auth code is left in test.auth_codes, and there is no test.auth_code_url');
      return code;
    }
    return codeFrom(bench, source.url, source.body);
  }

  /** An expired auth code. Throws DoesNotApply where none is available. */
  async expiredCode(bench: Bench): Promise<string> {
    const { authCodeSource: source, expiredAuthCode } = bench.context.test;
    if (expiredAuthCode !== undefined) return expiredAuthCode;
    if (!source?.expiredBody) throw new DoesNotApply('the settings have no test.expired_auth_code');
    return codeFrom(bench, source.url, source.expiredBody);
  }

  /** Signs a user on once; `anew` forces a new sign-on for this scenario. Throws Blocked where that fails. */
  async signedOn(bench: Bench, { anew = false } = {}): Promise<Session> {
    if (this.session && !anew) return this.session;
    this.session = await neededFor('a signed-on user', async () => {
      const tokens = await bench.accepted({ kind: 'exchange', authCode: await this.code(bench) });
      const accessToken = textIn(tokens, 'access_token');
      const user = await bench.accepted({ kind: 'user_data', userToken: accessToken });
      const refreshToken = tokens.get('refresh_token');
      return {
        accessToken,
        reference: textIn(userDataIn(user), 'reference'),
        ...(typeof refreshToken === 'string' && refreshToken !== '' && { refreshToken }),
      };
    });
    return this.session;
  }

  /** Stores the user's refreshed tokens. */
  renewed(session: Session): void {
    this.session = session;
  }

  /** A valid refresh token. */
  async refreshToken(bench: Bench): Promise<string> {
    const { refreshToken } = await this.signedOn(bench);
    if (refreshToken === undefined) throw new DoesNotApply('the host app gives no refresh tokens');
    return refreshToken;
  }

  /** An open payment, created once. Throws Blocked where that fails. */
  async payment(bench: Bench): Promise<string> {
    this.paymentId ??= await neededFor('an open payment', async () =>
      textIn(await bench.accepted(await this.good('create', bench)), 'order_payment_id'),
    );
    return this.paymentId;
  }

  /** The user for payment calls; `undefined` when the service calls as itself. */
  async payer(bench: Bench): Promise<CallUser | undefined> {
    if (!bench.context.usesAccessToken) return undefined;
    const { reference, accessToken } = await this.signedOn(bench);
    return { reference, accessToken };
  }

  /** A new valid request of that kind. Throws DoesNotApply where the partner has no URL for it. */
  async good(kind: CallKind, bench: Bench, change: Readonly<Record<string, Json | undefined>> = {}): Promise<CallInput> {
    if (bench.requests.urlOf(kind) === undefined) throw new DoesNotApply(`no URL is set up for this call (${kind})`);
    const { test } = bench.context;
    switch (kind) {
      case 'exchange':
        return { kind, authCode: await this.code(bench) };
      case 'refresh':
        return { kind, refreshToken: await this.refreshToken(bench) };
      case 'user_data':
        return { kind, userToken: (await this.signedOn(bench)).accessToken };
      case 'create': {
        const user = await this.payer(bench);
        const order = merged(test.order, { ...(user && { hostapp_user_id: user.reference }), ...change });
        return { kind, order, once: this.fresh('once'), user };
      }
      case 'status':
        return { kind, orderPaymentId: await this.payment(bench), user: await this.payer(bench) };
      case 'miniapp_token':
        return { kind, userData: merged(test.user, change) };
      case 'webhook':
        return { kind, deliveryId: this.fresh('msg'), orderPaymentId: this.fresh('pay'), word: 'paid' };
      case 'event':
        return { kind, eventType: 'conformance.test', payload: merged(new JsonObject(new Map()), { id: this.fresh('event'), ...change }) };
    }
  }
}

/** Merges members; those of `change` win, and undefined ones are removed. */
export function merged(base: JsonObject, change: Readonly<Record<string, Json | undefined>>): JsonObject {
  const members = new Map(base.members);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) members.delete(name);
    else members.set(name, value);
  }
  return new JsonObject(members);
}

export const number = (text: string): JsonNumber => new JsonNumber(text);

/** The user's fields, at the top level or in `user_data`. */
export function userDataIn(answer: JsonObject): JsonObject {
  const inner = answer.get('user_data');
  return inner instanceof JsonObject ? inner : answer;
}

/** A member that must be non-empty text. Throws Unmet. */
export function textIn(answer: JsonObject, name: string): string {
  const value = answer.get(name);
  if (typeof value === 'string' && value !== '') return value;
  throw new Unmet(`the answer has no ${name}`);
}

async function neededFor<T>(what: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof Unmet) throw new Blocked(`needs ${what}, which could not be had: ${error.message}`);
    throw error;
  }
}

async function codeFrom(bench: Bench, url: string, body: JsonObject): Promise<string> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
  const draft = { method: 'POST', url, headers, body: new TextEncoder().encode(printJson(body)) };
  const outcome: Outcome = await bench.put(draft, bench.context.deadlineMs('exchange'));
  const code = jsonOf(outcome)?.get('auth_code');
  if (typeof code === 'string' && code !== '') return code;
  throw new Blocked(
    `needs an auth code, which the address of test.auth_code_url did not give (${outcome.silence ?? String(outcome.status)})`,
  );
}
