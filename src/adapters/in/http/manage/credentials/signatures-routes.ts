import type { Request } from 'express';
import type { InboundRequest } from '../../../../../domain/credentials/check';
import type { ExplainSignature, ExplainSignatureCommand, Signer } from '../../../../../domain/credentials/explain/explain-signature';
import { HttpMessageRefused, readHttpMessage } from '../../../../../domain/credentials/explain/http-message';
import type { RefusedRequestRepository } from '../../../../../domain/credentials/explain/ports';
import type { RateLimiter } from '../../../../../domain/credentials/ports';
import type { FieldProblem } from '../../../../../domain/shared/errors';
import type { Clock } from '../../../../../domain/shared/ports';
import { requireOwn, viewerOf } from '../http/access';
import { ExplainDto } from './explain.dto';
import { explanationView } from './explanation-view';
import { givenScheme, type SchemeTools } from './given-scheme';
import { readInput } from '../http/json-body';
import { ManageProblem } from '../http/problem';
import { readTime } from '../http/query';
import type { Handler } from '../http/serve';

export interface SignatureRoutesDeps extends SchemeTools {
  readonly explain: ExplainSignature;
  readonly refused: RefusedRequestRepository;
  readonly clock: Clock;
  readonly limiter: RateLimiter;
}

/** Counts one explanation for the viewer. Throws RATE_LIMITED. */
export async function countExplanation(req: Request, limiter: RateLimiter): Promise<void> {
  const viewer = viewerOf(req);
  const whose = viewer.role === 'operator' ? '' : viewer.role === 'host-app' ? viewer.clientId : viewer.appId;
  await limiter.count({ limit: 'explain', subject: `${viewer.role}:${whose}` });
}

/** Explains why a signature did not pass. It changes nothing, so it leaves no audit entry. */
export const explaining =
  (deps: SignatureRoutesDeps): Handler<unknown> =>
  async (req, res) => {
    const input = await readInput(req, ExplainDto);
    await countExplanation(req, deps.limiter);
    if (input.signature === undefined) {
      res.json(explanationView(await deps.explain.execute(ownCase(req, await commandOf(input, deps)))));
      return;
    }
    if (input.exchange_id !== undefined) throw invalid({ path: 'exchange_id', rule: 'must be absent where signature is given' });
    const scheme = givenScheme(input.signature, { ...deps, merchantId: input.merchant_id });
    res.json(explanationView(await deps.explain.tryOut(scheme, await commandOf(input, deps))));
  };

/** Restricts partners to their own signatures and keys. Throws ManageProblem (404) where another partner signed. */
function ownCase(req: Request, command: ExplainSignatureCommand): ExplainSignatureCommand {
  const viewer = viewerOf(req);
  if (viewer.role === 'operator') return command;
  const own: Signer = viewer.role === 'host-app' ? { kind: 'host-app', id: viewer.clientId } : { kind: 'miniapp', id: viewer.appId };
  const { signer = own } = command;
  requireOwn(req, signer.kind, signer.id);
  return { ...command, signer, isAlone: true };
}

const invalid = (...errors: FieldProblem[]): ManageProblem => new ManageProblem('invalid-content', { errors });

async function commandOf(input: ExplainDto, { refused, clock }: SignatureRoutesDeps): Promise<ExplainSignatureCommand> {
  const { exchange_id: exchangeId, request, http } = input;
  if ([exchangeId, request, http].filter((given) => given !== undefined).length !== 1) {
    throw invalid({ path: '', rule: 'must hold one of exchange_id, request and http' });
  }
  if (exchangeId !== undefined) {
    const found = await refused.find(exchangeId, clock.now());
    if (!found)
      throw new ManageProblem('not-found', {
        detail: 'No request is kept for this exchange: its signature was not refused, or that is more than a day ago',
      });
    return { request: found.request, receivedAt: found.receivedAt, signer: found.partner, wasRefused: true };
  }
  const receivedAt = input.received_at === undefined ? clock.now() : timeOf(input.received_at);
  return { request: http === undefined ? partsOf(request) : messageOf(http), receivedAt, signer: signerOf(input) };
}

function timeOf(text: string): number {
  try {
    return readTime(text);
  } catch {
    throw invalid({ path: 'received_at', rule: 'must be a date and time as in RFC 3339' });
  }
}

function signerOf({ client_id: clientId, app_id: appId }: ExplainDto): Signer | undefined {
  if (clientId !== undefined && appId !== undefined)
    throw invalid({ path: 'app_id', rule: 'must be absent where client_id is given: one of them signed' });
  if (clientId !== undefined) return { kind: 'host-app', id: clientId };
  return appId === undefined ? undefined : { kind: 'miniapp', id: appId };
}

function messageOf(http: string): InboundRequest {
  try {
    return readHttpMessage(Buffer.from(http, 'utf8'));
  } catch (error) {
    if (!(error instanceof HttpMessageRefused)) throw error;
    throw invalid({ path: 'http', rule: error.message });
  }
}

function partsOf(request: ExplainDto['request']): InboundRequest {
  if (!request) throw invalid({ path: 'request', rule: 'is required' });
  const { method, target, headers, body, body_base64: base64 } = request;
  if (body !== undefined && base64 !== undefined)
    throw invalid({ path: 'request.body', rule: 'must be absent where body_base64 is given' });
  const rawHeaders = (Array.isArray(headers) ? headers : Object.entries(headers)).flat() as string[];
  return {
    method,
    target,
    rawHeaders,
    body: base64 === undefined ? Buffer.from(body ?? '', 'utf8') : Buffer.from(base64, 'base64'),
    remoteAddress: '',
  };
}
