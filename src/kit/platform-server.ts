import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AgreedSignature } from './agreed-signature';
import type { JsonMembers, Pair } from './bodies';
import { CallRefused } from './call-refused';
import { readAgreement } from './agreed-signature';
import type { NonceStore } from './nonces';
import { readObject } from './plain-json';
import { rawBodyOf } from './raw-body';
import { headerIn, verify } from './verify';

/** An Express request; under `node:http` alone the added members are absent. */
export type PlatformRequest = IncomingMessage & { readonly originalUrl?: string; readonly body?: unknown };

/** Handles one kind of call from the platform, for Express's `app.post(path, …)` or for a `node:http` server. */
export type PlatformHandler = (request: PlatformRequest, response: ServerResponse, next?: (error?: unknown) => void) => void;

/** Settings that both kinds of partner have. */
export interface BackEndSettings {
  /** The part before the path in the URLs that are registered at the platform: `https://shop.example`, without a trailing slash. */
  readonly publicUrl: string;
  /** When a signature is agreed on, every call must have one. Absent for Basic. */
  readonly signature?: AgreedSignature;
  /** Must be shared by all processes that receive calls. Uses this process's memory by default. */
  readonly nonces?: NonceStore;
  /** Maximum seconds between a timestamp and the clock; 300 by default. */
  readonly windowS?: number;
  /** Called with an error that was answered with 500, when there is no Express `next`. */
  readonly onError?: (error: unknown) => void;
}

/** An authenticated call. */
export interface PlatformCall extends Pair {
  /** The same id at every party. */
  readonly requestId: string | undefined;
  /** Id of a delivery, the same on each attempt. Store the ids of processed deliveries to recognise repeats. */
  readonly deliveryId: string | undefined;
  /** Set on a call that opens a payment: the same key must return the same payment. */
  readonly idempotencyKey: string | undefined;
  /** Reference of the user whose token came with the call. */
  readonly userReference: string | undefined;
  readonly rawBody: Uint8Array;
}

/** How one kind of call is authenticated and read. */
export interface Taking<Body> {
  /**
   * Authenticates a call. Resolves to the user's reference where a user's token proves it. Throws CallRefused for an unauthenticated call.
   */
  readonly admit: (request: PlatformRequest) => Promise<string | undefined> | string | undefined;
  /** Required members and their kinds. */
  readonly needs?: Readonly<Partial<Record<keyof Body & string, 'string' | 'object'>>>;
  /** Set when the call has no body. */
  readonly bodiless?: true;
  /** Set when your own refusal is answered with 200: the platform would repeat any other answer for a week. */
  readonly receipt?: true;
}

/** Receives the platform's calls: reads the bytes, checks proof and ids, passes the body on, answers in JSON. */
export class PlatformServer {
  /** `own`: which of the two ids is this partner's. Throws TypeError where the agreed signature is incomplete. */
  constructor(
    private readonly settings: BackEndSettings,
    private readonly own: { readonly header: 'X-Hostapp-Client-ID' | 'X-Miniapp-App-ID'; readonly id: string },
  ) {
    if (settings.signature) readAgreement(settings.signature, 'in');
  }

  /**
   * Returns true for a valid signature, and false where none is agreed on. Throws CallRefused for an agreed signature that is missing or
   * wrong.
   */
  async proveSignature(request: PlatformRequest): Promise<boolean> {
    const { signature, publicUrl, nonces, windowS } = this.settings;
    if (!signature) return false;
    const call = {
      ...{ method: request.method ?? '', url: publicUrl + (request.originalUrl ?? request.url ?? '') },
      ...{ headers: request.rawHeaders, body: await rawBodyOf(request) },
    };
    await verify(call, signature, { ...(nonces && { nonces }), ...(windowS !== undefined && { windowS }) });
    return true;
  }

  take<Body>(taking: Taking<Body>, act: (body: Body, call: PlatformCall) => unknown): PlatformHandler {
    return (request, response, next) => {
      this.answer(request, { taking, act }).then(
        ({ status, body }) => answerJson(response, status, body),
        (error: unknown) => {
          if (next) next(error);
          else this.fail(response, error);
        },
      );
    };
  }

  private async answer<Body>(
    request: PlatformRequest,
    { taking, act }: { taking: Taking<Body>; act: (body: Body, call: PlatformCall) => unknown },
  ): Promise<{ status: number; body: unknown }> {
    try {
      const { body, call } = await this.admitted(request, taking);
      try {
        return { status: 200, body: (await act(body, call)) ?? {} };
      } catch (error) {
        if (error instanceof CallRefused && taking.receipt && error.status < 500) return { status: 200, body: refusalBody(error) };
        throw error;
      }
    } catch (error) {
      if (error instanceof CallRefused) return { status: error.status, body: refusalBody(error) };
      throw error;
    }
  }

  private async admitted<Body>(
    request: PlatformRequest,
    { admit, needs, bodiless }: Taking<Body>,
  ): Promise<{ body: Body; call: PlatformCall }> {
    const header = (name: string): string | undefined => headerIn(request.rawHeaders, name);
    const userReference = await admit(request);
    const [client_id, app_id] = [header('X-Hostapp-Client-ID'), header('X-Miniapp-App-ID')];
    if (!client_id || !app_id) throw new CallRefused('MISSING_HEADER', 'X-Hostapp-Client-ID and X-Miniapp-App-ID must both be there');
    if (header(this.own.header) !== this.own.id) throw new CallRefused('INVALID_INPUT', `${this.own.header} names another app`);
    const rawBody = await rawBodyOf(request);
    const body = bodiless ? {} : jsonIn(request, rawBody, (needs ?? {}) as Readonly<Record<string, string>>);
    for (const [name, id] of Object.entries({ client_id, app_id })) {
      if (body[name] !== undefined && body[name] !== id) throw new CallRefused('INVALID_INPUT', `${name} is not that of the headers`);
    }
    const call = {
      ...{ client_id, app_id, userReference, rawBody, requestId: header('X-Request-Id') },
      ...{ deliveryId: header('webhook-id'), idempotencyKey: header('Idempotency-Key') },
    };
    // The required members were checked; for the rest, the contract guarantees the platform's bodies.
    return { body: body as unknown as Body, call };
  }

  private fail(response: ServerResponse, error: unknown): void {
    this.settings.onError?.(error);
    answerJson(response, 500, refusalBody({ code: 'UNKNOWN_ERROR', message: 'Unknown error' }));
  }
}

function jsonIn(request: PlatformRequest, rawBody: Uint8Array, needs: Readonly<Record<string, string>>): JsonMembers {
  if (!/^application\/json\s*(;|$)/i.test(headerIn(request.rawHeaders, 'Content-Type') ?? '')) {
    throw new CallRefused('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json', { status: 415 });
  }
  const body = readObject(rawBody);
  for (const [name, type] of Object.entries(needs)) {
    const value = body[name];
    if (typeof value !== type || value === null || value === '' || Array.isArray(value))
      throw new CallRefused('INVALID_INPUT', `${name}: required`);
  }
  return body;
}

const refusalBody = ({ code, message }: Pick<CallRefused, 'code' | 'message'>): object => ({ error_code: code, error_message: message });

/** Answers with JSON. */
export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
