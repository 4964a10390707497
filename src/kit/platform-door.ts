import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AgreedSignature } from './agreed-signature';
import type { JsonMembers, Pair } from './bodies';
import { CallRefused } from './call-refused';
import { readAgreement } from './agreed-signature';
import type { NonceStore } from './nonces';
import { readObject } from './plain-json';
import { rawBodyOf } from './raw-body';
import { headerIn, verify } from './verify';

/** What a request has under Express; under `node:http` alone the first three are not there. */
export type PlatformRequest = IncomingMessage & { readonly originalUrl?: string; readonly body?: unknown };

/** Answers one kind of call of the platform: for Express's `app.post(path, …)`, or for a server of `node:http`. */
export type PlatformHandler = (request: PlatformRequest, response: ServerResponse, next?: (error?: unknown) => void) => void;

/** What both kinds of partner say of themselves. */
export interface BackEndSettings {
  /** What stands before the path in the URLs that are registered at the platform: `https://shop.example`, without a final slash. */
  readonly publicUrl: string;
  /** Where signatures are agreed on, they are asked of every call; absent: Basic. */
  readonly signature?: AgreedSignature;
  /** Shared by all processes that take calls; this process's memory unless given. */
  readonly nonces?: NonceStore;
  /** Seconds by which a timestamp may differ from the clock; 300. */
  readonly windowS?: number;
  /** Hears what went wrong here, beside the 500 that it is answered with, where there is no `next` of Express. */
  readonly onError?: (error: unknown) => void;
}

/** A call that has proved itself. */
export interface PlatformCall extends Pair {
  /** The same at every party. */
  readonly requestId: string | undefined;
  /** Of a delivery, the same on each attempt: keep those that were dealt with. */
  readonly deliveryId: string | undefined;
  /** Of a payment to open: the same key is the same payment. */
  readonly idempotencyKey: string | undefined;
  /** The user whose token came with the call, by reference. */
  readonly userReference: string | undefined;
  readonly rawBody: Uint8Array;
}

/** How one kind of call is taken. */
export interface Taking<Body> {
  /** Whose user the call is about, where a token proves it. Throws CallRefused where the call proves nothing. */
  readonly admit: (request: PlatformRequest) => Promise<string | undefined> | string | undefined;
  /** Names of members that must be there, and be text or an object. */
  readonly needs?: Readonly<Partial<Record<keyof Body & string, 'string' | 'object'>>>;
  /** No body comes with the call. */
  readonly bodiless?: true;
  /** A refusal of your own is answered with 200: anything else would be sent again for a week. */
  readonly receipt?: true;
}

/** The way in for the platform's calls: reads the bytes, checks the proof and the ids, hands on the body, answers in JSON. */
export class PlatformDoor {
  /** `own`: which of the two ids is this partner's. Throws TypeError where the agreed signature is not complete. */
  constructor(
    private readonly settings: BackEndSettings,
    private readonly own: { readonly header: 'X-Hostapp-Client-ID' | 'X-Miniapp-App-ID'; readonly id: string },
  ) {
    if (settings.signature) readAgreement(settings.signature, 'in');
  }

  /** Throws CallRefused unless the platform signed the request, where that is agreed on. True: it is, and it did. */
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
    // What the contract promises of the platform's own bodies, the required members seen.
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
