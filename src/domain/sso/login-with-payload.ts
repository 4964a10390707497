import { acceptedValues, requireComparable } from '../credentials/credential';
import type { OpenedPayload, PayloadCipher, SecretGenerator } from '../credentials/ports';
import type { Relay } from '../exchanges/exchange';
import { namesOf } from '../exchanges/tracing';
import type { Integration } from '../partners/integrations/integration';
import { type DomainError, refusal } from '../shared/errors';
import { JsonNumber, JsonObject, JsonSyntaxError } from '../shared/json';
import { readJsonInTurns } from '../shared/read-json';
import type { Clock, Log } from '../shared/ports';
import type { Secret } from '../shared/secret';
import type { ConnectUser } from './connect-user';
import type { MiniappLoginGateway } from './ports';
import { isRefusedSignOn, type SignOnFailures } from './sign-on-failures';
import type { TokenPair } from './tokens';
import { missingUserFields, type UserData } from './user-data';

export interface LoginWithPayloadCommand {
  readonly relay: Relay;
  readonly integration: Integration;
  /** User data, encrypted with the host app's Secret key, as received. */
  readonly payload: string;
  /** The caller's address. */
  readonly address: string;
}

/**
 * Reads a user from JSON by the rules of contract/sign-on#user-data; `undefined` where it breaks one. Injected, because an adapter
 * implements it.
 */
export type ReadUser = (json: JsonObject) => UserData | undefined;

interface Deps {
  readonly cipher: PayloadCipher;
  readonly readUser: ReadUser;
  readonly secrets: SecretGenerator;
  readonly failures: SignOnFailures;
  readonly connectUser: ConnectUser;
  readonly miniapp: MiniappLoginGateway;
  readonly clock: Clock;
  readonly log: Log;
  /** Begins work on so many bytes; the function returned lets other work run. */
  readonly longWork: (bytes: number) => () => Promise<void>;
}

/** Why a payload is refused, as a keyword for the operator's log; in the order of the checks. */
const problems = [
  ...(['key', 'encoding', 'length', 'cipher', 'tag', 'padding'] as const satisfies readonly OpenedPayload['problem'][]),
  ...(['json', 'not-an-object', 'exp', 'expired', 'user-data', 'required-fields'] as const),
] as const;
type Problem = (typeof problems)[number];

/** The content of a payload, and its problem. If there is a problem, the rest is meaningless. */
interface Reading {
  readonly problem: Problem | undefined;
  /** Without `exp`. */
  readonly claims: JsonObject;
  /** Absent when the claims have no reference. */
  readonly user: UserData | undefined;
}

const nothing = new JsonObject(new Map());
/** The current Secret key, the next one, and the previous one in its grace period. */
const keysTried = 3;

/**
 * Signs a user on by user data that the host app has encrypted (contract/sign-on#partner-login). Every payload that cannot be decrypted,
 * read or accepted gets the same answer, INVALID_USER_DATA, after the same work, so that altering a ciphertext reveals nothing. Failures
 * are counted per integration and address; beyond the budget they are RATE_LIMITED, but a payload that can be decrypted always passes
 * (contract/sign-on#failures). Throws CONSENT_REQUIRED and the partner-* kinds for payloads that are accepted.
 */
export class LoginWithPayload {
  /** Used where a key is missing, so that the work is the same; decrypts nothing. */
  private readonly standInKey: Secret;

  constructor(private readonly deps: Deps) {
    this.standInKey = deps.secrets.secretKey();
  }

  async execute(command: LoginWithPayloadCommand): Promise<TokenPair> {
    const { relay, integration, payload } = command;
    const readings: Reading[] = [];
    for (const key of this.keysOf(integration)) readings.push(await this.read(integration, payload, key));
    const accepted = readings.find(({ problem }) => problem === undefined);
    if (!accepted) {
      const refusal = await this.refused(command, furthest(readings));
      requireComparable(integration.hostApp.credentials.secret_key, this.deps.clock.now());
      throw refusal;
    }
    const { claims, user } = accepted;
    try {
      if (user) return await this.deps.connectUser.execute({ relay, integration, user, call: 'partner/login' });
      requireNoConsent(integration);
      return await this.deps.miniapp.login(relay, integration, claims);
    } catch (error) {
      // The failure is counted, but never replaced by RATE_LIMITED: the budget refuses no payload that can be decrypted.
      if (isRefusedSignOn(error)) await this.deps.failures.failed(command).catch(() => undefined);
      throw error;
    }
  }

  /** Always returns the same number of entries, so that the time taken does not reveal a grace period. */
  private keysOf({ hostApp }: Integration): readonly (Secret | undefined)[] {
    const accepted = acceptedValues(hostApp.credentials.secret_key, this.deps.clock.now());
    return Array.from({ length: keysTried }, (_, i) => accepted[i]?.secret);
  }

  /** Runs every check, even after a failed one, to keep the work the same; the first problem counts. */
  private async read({ hostApp, miniapp }: Integration, text: string, key: Secret | undefined): Promise<Reading> {
    const gcmOnly = hostApp.settings.payloadCipher === 'gcm';
    const sealed = { text, clientId: hostApp.id, appId: miniapp.id, gcmOnly };
    const opened = this.deps.cipher.open(sealed, key ?? this.standInKey);
    const { json, problem: unreadable } = await this.readObject(opened.plain);
    const { claims, problem: outOfTime } = takeExp(json, this.deps.clock.now());
    const candidate = this.deps.readUser(claims);
    const lacking = missingUserFields(candidate ?? { reference: '' }, miniapp);
    const isUser = hasReference(claims);
    const unfit: Problem | undefined = !candidate ? 'user-data' : lacking.length > 0 ? 'required-fields' : undefined;
    const noKey: Problem | undefined = key ? undefined : 'key';
    const problem = noKey ?? opened.problem ?? unreadable ?? outOfTime ?? (isUser ? unfit : undefined);
    return { problem, claims, user: isUser ? candidate : undefined };
  }

  private async readObject(bytes: Uint8Array): Promise<{ json: JsonObject; problem?: Problem }> {
    try {
      const json = await readJsonInTurns(bytes, this.deps.longWork(bytes.length));
      return json instanceof JsonObject ? { json } : { json: nothing, problem: 'not-an-object' };
    } catch (error) {
      if (error instanceof JsonSyntaxError) return { json: nothing, problem: 'json' };
      throw error;
    }
  }

  private async refused(command: LoginWithPayloadCommand, cause: Problem | undefined): Promise<DomainError> {
    const { relay, integration } = command;
    const { hostApp, miniapp } = integration;
    const { failures, log } = this.deps;
    log.warn('partner-login.payload-refused', { ...namesOf(relay), client_id: hostApp.id, app_id: miniapp.id, cause });
    await failures.failed(command);
    return refusal('invalid', 'INVALID_USER_DATA', { side: 'hostapp' }, 'The payload cannot be accepted');
  }
}

/** The problem of the key that got furthest, which is most likely the key that the host app used. */
const furthest = (readings: readonly Reading[]): Problem | undefined =>
  problems.findLast((one) => readings.some(({ problem }) => problem === one));

/** Removes `exp`, which is no user data. It is in Unix seconds, and the payload has expired from that second on (RFC 7519 §4.1.4). */
function takeExp(json: JsonObject, now: number): { claims: JsonObject; problem?: Problem } {
  const exp = json.get('exp') ?? null;
  const members = new Map(json.members);
  members.delete('exp');
  const claims = new JsonObject(members);
  if (exp === null) return { claims };
  if (!(exp instanceof JsonNumber)) return { claims, problem: 'exp' };
  return Number(exp.text) * 1000 > now ? { claims } : { claims, problem: 'expired' };
}

const hasReference = (claims: JsonObject): boolean => (claims.get('reference') ?? null) !== null;

/** Refuses claims without a user, because nobody could have consented. */
function requireNoConsent({ hostApp }: Integration): void {
  if (hostApp.settings.consentRequired) throw refusal('invalid', 'CONSENT_REQUIRED', { side: 'hostapp', setting: 'consent_required' });
}
