import type { AdmitCall } from '../../../../domain/credentials/admit-call';
import type { CredentialPolicy } from '../../../../domain/credentials/credential-policy';
import type { KeepRefusedRequest } from '../../../../domain/credentials/explain/keep-refused-request';
import type { RateLimiter } from '../../../../domain/credentials/ports';
import type { Relay } from '../../../../domain/exchanges/exchange';
import type { ExchangeLog } from '../../../../domain/exchanges/ports';
import type { Tracing } from '../../../../domain/exchanges/tracing';
import type { Integration } from '../../../../domain/partners/integrations/integration';
import type { ErrorCode } from '../../../../domain/shared/error-catalogue';
import type { Json } from '../../../../domain/shared/json';
import type { Clock, IdGenerator } from '../../../../domain/shared/ports';
import type { Answer } from '../answer';
import type { BodyReader } from '../admission/body-reader';
import type { AddressOf } from '../reading/caller-address';
import type { AnswersInTime } from '../deadlines/answers-in-time';
import type { TurnEndScheduler } from '../admission/turn-end-scheduler';
import type { RefusalDeps } from '../error-handler';
import type { IdempotencyTools } from '../reading/idempotency-step';
import type { Overload, Shed } from '../admission/overload';

/** An authenticated call with validated input. */
export interface Admitted<Fields> {
  readonly relay: Relay;
  readonly integration: Integration;
  /** The declared fields of the body or query, validated. */
  readonly fields: Fields;
  /** The parsed body, unchanged: relayed members are taken from it. An empty object where there is no body. */
  readonly body: Json;
  readonly address: string;
  /** The caller's Idempotency-Key. Absent when none was sent. */
  readonly idempotencyKey?: string | undefined;
}

/** Handles an admitted call. Resolves to a 2xx status with JSON, or to the JSON of a 200. */
export type Action<Fields> = (admitted: Admitted<Fields>) => Promise<Json | Answer>;

/**
 * Where a route reads its input. `either`: the query or, if there is one, the body (revoke). `headers`: the ids are in X-Hostapp-Client-Id
 * and X-Miniapp-App-Id, and the body is any JSON object or list (analytics).
 */
export type InputSource = 'body' | 'query' | 'either' | 'headers';

/** One endpoint of the API: the credentials that it requires, where its input is, and its action. */
export interface ApiRoute<Fields extends object = object> {
  /** The name in logs, limits and exchange records. */
  readonly call: string;
  readonly methods: readonly ('GET' | 'POST' | 'DELETE')[];
  /** Express patterns under /api/v1, without the final slash. */
  readonly paths: readonly string[];
  readonly input: InputSource;
  readonly policy: CredentialPolicy;
  /** Browsers call it: it gets CORS headers and a limit per minute for each integration and caller address. */
  readonly fromBrowsers: boolean;
  /** Whether the call gets an exchange record. */
  readonly recorded: boolean;
  /** How long the whole inbound call may take. */
  readonly deadline: 'sso' | 'payment';
  /** How early the call is refused when the service is overloaded. */
  readonly shed: Shed;
  /** Error code for a field that breaks a rule; INVALID_INPUT by default. Invalid ids always get INVALID_INPUT. */
  readonly invalidCode?: ErrorCode;
  readonly Dto: new () => Fields;
  readonly action: Action<Fields>;
}

/** Dependencies of the steps of all routes. */
export interface ApiTools extends RefusalDeps {
  readonly admit: AdmitCall;
  readonly limiter: RateLimiter;
  readonly exchanges: ExchangeLog;
  readonly keepRefused: KeepRefusedRequest;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly idempotency: IdempotencyTools;
  readonly addressOf: AddressOf;
  /** Milliseconds that an inbound call may take in total. */
  readonly timeoutMs: Readonly<Record<ApiRoute['deadline'], number>>;
  readonly bodies: BodyReader;
  readonly overload: Overload;
  readonly inTime: AnswersInTime;
  readonly turnEnd: TurnEndScheduler;
  /** Absent when nothing is traced. */
  readonly tracing?: Tracing | undefined;
}
