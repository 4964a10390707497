import type { AdmitCall } from '../../../../domain/credentials/admit-call';
import type { CredentialPolicy } from '../../../../domain/credentials/credential-policy';
import type { KeepRefusedRequest } from '../../../../domain/credentials/explain/keep-refused-request';
import type { RateLimiter } from '../../../../domain/credentials/ports';
import type { Relay } from '../../../../domain/exchanges/exchange';
import type { ExchangeLog } from '../../../../domain/exchanges/ports';
import type { Tracing } from '../../../../domain/exchanges/tracing';
import type { Integration } from '../../../../domain/partners/integration';
import type { ErrorCode } from '../../../../domain/shared/error-catalogue';
import type { Json } from '../../../../domain/shared/json';
import type { Clock, IdSource } from '../../../../domain/shared/ports';
import type { Answer } from '../answer';
import type { BodiesUnderWay } from '../bodies-under-way';
import type { AddressOf } from '../caller-address';
import type { AnswersInTime } from '../deadlines/answers-in-time';
import type { EndOfTurn } from '../end-of-turn';
import type { RefusalDeps } from '../error-handler';
import type { IdempotencyTools } from '../idempotency-step';
import type { Overload, Shed } from '../overload';

/** What an action gets: an authenticated call, its input validated. */
export interface Admitted<Facts> {
  readonly relay: Relay;
  readonly integration: Integration;
  /** The body's (or query's) fields that the route declares, validated. */
  readonly facts: Facts;
  /** The body as it was read: relayed members are taken from here, untouched. An empty object where there is none. */
  readonly body: Json;
  readonly address: string;
  /** The caller's Idempotency-Key; absent: none was sent. */
  readonly idempotencyKey?: string;
}

/** Does what a route is for. Resolves to a status of 2xx and JSON, or to the JSON of a 200. */
export type Action<Facts> = (admitted: Admitted<Facts>) => Promise<Json | Answer>;

/**
 * Where a route's input stands. `either`: in the query or, where there is one, in the body (revoke). `headers`: the ids in
 * X-Hostapp-Client-Id and X-Miniapp-App-Id, and any JSON object or list in the body (analytics).
 */
export type InputPlace = 'body' | 'query' | 'either' | 'headers';

/** One endpoint of the API, whole: what its caller must prove, where its input stands, what it does. */
export interface ApiRoute<Facts extends object = object> {
  /** The name in logs, limits and exchange records. */
  readonly call: string;
  readonly methods: readonly ('GET' | 'POST' | 'DELETE')[];
  /** Express patterns under /api/v1, without the final slash. */
  readonly paths: readonly string[];
  readonly input: InputPlace;
  readonly policy: CredentialPolicy;
  /** Called by browsers: CORS, and a limit a minute for the pair and the caller's address. */
  readonly fromBrowsers: boolean;
  /** Leaves an exchange record. */
  readonly recorded: boolean;
  /** How long the whole inbound call may take. */
  readonly deadline: 'sso' | 'payment';
  /** How early it is refused when the service is overloaded. */
  readonly shed: Shed;
  /** The code of a field that breaks a rule; INVALID_INPUT unless given. The ids always have INVALID_INPUT. */
  readonly invalidCode?: ErrorCode;
  readonly Facts: new () => Facts;
  readonly action: Action<Facts>;
}

/** What the steps of every route work with. */
export interface ApiTools extends RefusalDeps {
  readonly admit: AdmitCall;
  readonly limiter: RateLimiter;
  readonly exchanges: ExchangeLog;
  readonly keepRefused: KeepRefusedRequest;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly idempotency: IdempotencyTools;
  readonly addressOf: AddressOf;
  /** Milliseconds that a whole inbound call may take. */
  readonly timeoutMs: Readonly<Record<ApiRoute['deadline'], number>>;
  readonly bodies: BodiesUnderWay;
  readonly overload: Overload;
  readonly inTime: AnswersInTime;
  readonly endOfTurn: EndOfTurn;
  /** Absent: nothing is traced. */
  readonly tracing?: Tracing | undefined;
}
