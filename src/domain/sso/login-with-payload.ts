import { acceptedValues } from '../credentials/credential';
import type { OpenedPayload, PayloadCipher, SecretSource } from '../credentials/ports';
import type { Relay } from '../exchanges/exchange';
import { namesOf } from '../exchanges/tracing';
import type { Integration } from '../partners/integration';
import { type DomainError, refusal } from '../shared/errors';
import { JsonNumber, JsonObject, JsonSyntaxError, readJson } from '../shared/json';
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
  /** As it came: user data encrypted under the host app's Secret key. */
  readonly payload: string;
  /** The caller's address. */
  readonly address: string;
}

/** A user out of JSON, by the rules of contract/sign-on#user-data; `undefined`: it breaks one. Given by the host. */
export type ReadUser = (json: JsonObject) => UserData | undefined;

interface Deps {
  readonly cipher: PayloadCipher;
  readonly readUser: ReadUser;
  readonly secrets: SecretSource;
  readonly failures: SignOnFailures;
  readonly connectUser: ConnectUser;
  readonly miniapp: MiniappLoginGateway;
  readonly clock: Clock;
  readonly log: Log;
}

/** Why a payload is not accepted, in one word for the operator's log; in the order of the checks. */
const problems = [
  ...(['key', 'encoding', 'length', 'cipher', 'tag', 'padding'] as const satisfies readonly OpenedPayload['problem'][]),
  ...(['json', 'not-an-object', 'exp', 'expired', 'user-data', 'required-fields'] as const),
] as const;
type Problem = (typeof problems)[number];

/** The content of a payload, and its problem; with a problem, the rest means nothing. */
interface Reading {
  readonly problem: Problem | undefined;
  /** Without `exp`. */
  readonly facts: JsonObject;
  /** Absent: the facts name no reference. */
  readonly user: UserData | undefined;
}

const nothing = new JsonObject(new Map());
/** The Secret key now, the one that waits, and the one before in its grace time. */
const keysTried = 3;

/**
 * User data that the host app has encrypted becomes a session at the miniapp (contract/sign-on#partner-login). Every payload
 * that cannot be decrypted, read or accepted meets one answer, INVALID_USER_DATA, after the same work: who alters a
 * ciphertext learns nothing from it. Failures are counted per integration and address; beyond the budget
 * they are RATE_LIMITED, but a payload that opens always passes (contract/sign-on#failures). Throws CONSENT_REQUIRED and the partner-* kinds for payloads that are accepted.
 */
export class LoginWithPayload {
  /** Works where a key is missing, and opens nothing. */
  private readonly standInKey: Secret;

  constructor(private readonly deps: Deps) {
    this.standInKey = deps.secrets.secretKey();
  }

  async execute(command: LoginWithPayloadCommand): Promise<TokenPair> {
    const { relay, integration, payload } = command;
    const readings = this.keysOf(integration).map((key) => this.read(integration, payload, key));
    const accepted = readings.find(({ problem }) => problem === undefined);
    if (!accepted) throw await this.refused(command, furthest(readings));
    const { facts, user } = accepted;
    try {
      if (user) return await this.deps.connectUser.execute({ relay, integration, user, call: 'partner/login' });
      requireNoConsent(integration);
      return await this.deps.miniapp.login(relay, integration, facts);
    } catch (error) {
      // It is counted, but the budget refuses no payload that opens: its own refusal is the answer.
      if (isRefusedSignOn(error)) await this.deps.failures.failed(command).catch(() => undefined);
      throw error;
    }
  }

  /** Always as many, so that a grace time does not show. */
  private keysOf({ hostApp }: Integration): readonly (Secret | undefined)[] {
    const accepted = acceptedValues(hostApp.credentials.secret_key, this.deps.clock.now());
    return Array.from({ length: keysTried }, (_, i) => accepted[i]?.secret);
  }

  /** Every step is taken, whatever the one before it found; the first problem is the one that counts. */
  private read({ hostApp, miniapp }: Integration, text: string, key: Secret | undefined): Reading {
    const gcmOnly = hostApp.settings.payloadCipher === 'gcm';
    const sealed = { text, clientId: hostApp.id, appId: miniapp.id, gcmOnly };
    const opened = this.deps.cipher.open(sealed, key ?? this.standInKey);
    const { json, problem: unreadable } = readObject(opened.plain);
    const { facts, problem: outOfTime } = takeExp(json, this.deps.clock.now());
    const candidate = this.deps.readUser(facts);
    const lacking = missingUserFields(candidate ?? { reference: '' }, miniapp);
    const isUser = hasReference(facts);
    const unfit: Problem | undefined = !candidate ? 'user-data' : lacking.length > 0 ? 'required-fields' : undefined;
    const noKey: Problem | undefined = key ? undefined : 'key';
    const problem = noKey ?? opened.problem ?? unreadable ?? outOfTime ?? (isUser ? unfit : undefined);
    return { problem, facts, user: isUser ? candidate : undefined };
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

/** Of the keys, the one that was meant got furthest. */
const furthest = (readings: readonly Reading[]): Problem | undefined =>
  problems.findLast((one) => readings.some(({ problem }) => problem === one));

function readObject(bytes: Uint8Array): { json: JsonObject; problem?: Problem } {
  try {
    const json = readJson(bytes);
    return json instanceof JsonObject ? { json } : { json: nothing, problem: 'not-an-object' };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { json: nothing, problem: 'json' };
    throw error;
  }
}

/** `exp`, in Unix seconds, is over at that second (RFC 7519 §4.1.4); it is no fact about the user. */
function takeExp(json: JsonObject, now: number): { facts: JsonObject; problem?: Problem } {
  const exp = json.get('exp') ?? null;
  const members = new Map(json.members);
  members.delete('exp');
  const facts = new JsonObject(members);
  if (exp === null) return { facts };
  if (!(exp instanceof JsonNumber)) return { facts, problem: 'exp' };
  return Number(exp.text) * 1000 > now ? { facts } : { facts, problem: 'expired' };
}

const hasReference = (facts: JsonObject): boolean => (facts.get('reference') ?? null) !== null;

/** Facts about nobody who could have consented. */
function requireNoConsent({ hostApp }: Integration): void {
  if (hostApp.settings.consentRequired) throw refusal('invalid', 'CONSENT_REQUIRED', { side: 'hostapp', setting: 'consent_required' });
}
