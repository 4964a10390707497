import { randomBytes, randomInt } from 'node:crypto';
import { JsonNumber, JsonObject, printJson, type Json } from '../domain/shared/json';
import type { Bench } from './bench';
import { jsonOf } from './judging';
import type { Asked, AskingUser, CallKind, Outcome } from './ports';
import { Blocked, DoesNotApply, Unmet } from './verdict';

/** A signed-on user of the host app. */
export interface Session {
  readonly reference: string;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
}

/** What the scenarios of one run share: ids that are theirs alone, and objects that many need, made once. */
export class RunState {
  private readonly run = randomBytes(4).toString('hex');
  private count = 0;
  private codesTaken = 0;
  private session: Session | undefined;
  private paymentId: string | undefined;

  /** An id that nobody has had before. */
  fresh(prefix: string): string {
    this.count += 1;
    return `${prefix}-${this.run}-${String(this.count)}`;
  }

  /** So many digits that nobody has sent before, and that no binary float holds. */
  digits(length: number): string {
    return `1${Array.from({ length: length - 2 }, () => String(randomInt(10))).join('')}1`;
  }

  /** An auth code that has not been used. Throws DoesNotApply where the settings tell of none, Blocked where none is given. */
  async code(bench: Bench): Promise<string> {
    const { authCodeSource: source, authCodes } = bench.facts.test;
    if (!source) {
      const code = authCodes[this.codesTaken++];
      if (code === undefined) throw new DoesNotApply('no unused auth code is left in test.auth_codes, and there is no test.auth_code_url');
      return code;
    }
    return codeFrom(bench, source.url, source.body);
  }

  /** An auth code that has expired. Throws DoesNotApply where none is to be had. */
  async expiredCode(bench: Bench): Promise<string> {
    const { authCodeSource: source, expiredAuthCode } = bench.facts.test;
    if (expiredAuthCode !== undefined) return expiredAuthCode;
    if (!source?.expiredBody) throw new DoesNotApply('the settings have no test.expired_auth_code');
    return codeFrom(bench, source.url, source.expiredBody);
  }

  /** Signs a user on, once; with `anew` for this scenario alone. Throws Blocked where that fails. */
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

  /** The user's tokens have been renewed. */
  renewed(session: Session): void {
    this.session = session;
  }

  /** A refresh token that works. */
  async refreshToken(bench: Bench): Promise<string> {
    const { refreshToken } = await this.signedOn(bench);
    if (refreshToken === undefined) throw new DoesNotApply('the host app gives no refresh tokens');
    return refreshToken;
  }

  /** A payment that is open, made once. Throws Blocked where that fails. */
  async payment(bench: Bench): Promise<string> {
    this.paymentId ??= await neededFor('an open payment', async () =>
      textIn(await bench.accepted(await this.good('create', bench)), 'order_payment_id'),
    );
    return this.paymentId;
  }

  /** In whose name payment calls are made; `undefined`: in the service's own. */
  async payer(bench: Bench): Promise<AskingUser | undefined> {
    if (!bench.facts.usesAccessToken) return undefined;
    const { reference, accessToken } = await this.signedOn(bench);
    return { reference, accessToken };
  }

  /** A good request of that kind, new each time. Throws DoesNotApply where the partner has no URL for it. */
  async good(kind: CallKind, bench: Bench, change: Readonly<Record<string, Json | undefined>> = {}): Promise<Asked> {
    if (bench.requests.urlOf(kind) === undefined) throw new DoesNotApply(`no URL is set up for this call (${kind})`);
    const { test } = bench.facts;
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
        return { kind, facts: merged(test.user, change) };
      case 'webhook':
        return { kind, deliveryId: this.fresh('msg'), orderPaymentId: this.fresh('pay'), word: 'paid' };
      case 'event':
        return { kind, eventType: 'conformance.test', payload: merged(new JsonObject(new Map()), { id: this.fresh('event'), ...change }) };
    }
  }
}

/** The members of both; those of `change` win, and those that are undefined there are gone. */
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

/** Throws Unmet. */
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
  const outcome: Outcome = await bench.put(draft, bench.facts.deadlineMs('exchange'));
  const code = jsonOf(outcome)?.get('auth_code');
  if (typeof code === 'string' && code !== '') return code;
  throw new Blocked(
    `needs an auth code, which the address of test.auth_code_url did not give (${outcome.silence ?? String(outcome.status)})`,
  );
}
