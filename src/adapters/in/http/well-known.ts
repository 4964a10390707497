import { createPublicKey } from 'node:crypto';
import cors from 'cors';
import { type Request, Router } from 'express';
import type { PublishedKey, PublishedKeyReader, RateLimiter } from '../../../domain/credentials/ports';
import type { EvidenceKey } from '../../../domain/evidence/ports';
import type { Clock } from '../../../domain/shared/ports';
import { limitedAddress } from '../../../domain/shared/limited-address';
import { readQuery } from './reading/body';
import type { AddressOf } from './reading/caller-address';
import { sendDocument } from './document';
import { timeText } from './manage/partners/partner-mapper';
import { present } from './manage/http/present';
import { setRateHeaders } from './reading/rate-headers';
import { contextOf } from './request-context';
import { wrongMethod } from './reading/wrong-method';

export interface WellKnownDeps {
  readonly keys: PublishedKeyReader;
  /** The keys that evidence is signed with. */
  readonly evidenceKeys: () => Promise<readonly EvidenceKey[]>;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  readonly addressOf: AddressOf;
  /** The public base URL. */
  readonly issuer: string;
  /** Source addresses of the platform's outbound calls, for the firewalls of partners. */
  readonly egressAddresses: readonly string[];
}

const browsers = cors({ origin: '*', methods: ['GET'], exposedHeaders: ['ETag', 'X-Request-Id', 'Retry-After'], maxAge: 600 });

const hints = {
  kid: 'The fingerprint of the key, as the settings of its app show it.',
  slot: 'Calls are signed with the current key; the next one will be taken up later, the previous one may still be met until valid_until.',
  filter: '?client_id= or ?app_id= leaves the keys of one app.',
};

/**
 * GET /.well-known/jwks.json: the public keys that verify evidence (RFC 7517). GET /.well-known/pierhead.json: what partners need to let
 * the platform's calls in and to verify their signatures. Both are public. Keys are listed without their apps. An unknown id gives an empty
 * list, like an app that signs without a key pair.
 */
export function wellKnownRouter(deps: WellKnownDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const view = keyViews();
  router
    .route(['/pierhead.json', '/pierhead.json/'])
    .all(browsers)
    .get(async (req, res) => {
      contextOf(res).call = 'well_known';
      setRateHeaders(res, await deps.limiter.count({ limit: 'well_known', subject: limitedAddress(deps.addressOf(req)) }));
      const chosen = choice(req);
      const keys = view(await deps.keys.list(deps.clock.now())).filter(({ key }) => chosen(key));
      sendDocument(req, res, { issuer: deps.issuer, egress_addresses: deps.egressAddresses, keys: keys.map(({ shown }) => shown), hints });
    })
    .all(wrongMethod(['GET', 'HEAD']));
  router
    .route(['/jwks.json', '/jwks.json/'])
    .all(browsers)
    .get(async (req, res) => {
      contextOf(res).call = 'well_known';
      setRateHeaders(res, await deps.limiter.count({ limit: 'well_known', subject: limitedAddress(deps.addressOf(req)) }));
      sendDocument(req, res, { keys: (await deps.evidenceKeys()).map((key) => ({ ...key, use: 'sig', alg: 'ES256' })) });
    })
    .all(wrongMethod(['GET', 'HEAD']));
  return router;
}

/** Selects the keys that the query parameters ask for. Throws INVALID_INPUT where a parameter is given twice. */
function choice(req: Request): (key: PublishedKey) => boolean {
  const query = readQuery(req.originalUrl);
  const [clientId, appId] = [query.get('client_id'), query.get('app_id')];
  if (clientId === undefined && appId === undefined) return () => true;
  return ({ partner, id }) => id === (partner === 'host-app' ? clientId : appId);
}

interface ViewedKey {
  readonly key: PublishedKey;
  readonly shown: object;
}

/** Converts lists of keys to JWKs and caches the result of the last list. */
function keyViews(): (keys: readonly PublishedKey[]) => readonly ViewedKey[] {
  let last: { readonly keys: readonly PublishedKey[]; readonly views: readonly ViewedKey[] } = { keys: [], views: [] };
  return (keys) => {
    if (keys !== last.keys) last = { keys, views: keys.map((key) => ({ key, shown: keyView(key) })) };
    return last.views;
  };
}

function keyView({ fingerprint: kid, slot, createdAt, validUntil, publicKey: pem, hash }: PublishedKey): object {
  const jwk = createPublicKey(pem).export({ format: 'jwk' });
  const isRsa = jwk.kty === 'RSA';
  return present({
    kid,
    algorithm: isRsa ? 'RSA2' : 'ECDSA',
    slot,
    created_at: timeText(createdAt),
    valid_until: timeText(validUntil),
    pem,
    jwk: present({ ...jwk, kid, use: 'sig', alg: isRsa ? rsaAlgorithms[hash] : undefined }),
  });
}

/** Algorithm names of RFC 7518 §3.1. ECDSA has none: JWS wants r and s concatenated, and our signatures are DER. */
const rsaAlgorithms: Readonly<Partial<Record<PublishedKey['hash'], string>>> = {
  'SHA-256': 'RS256',
  'SHA-384': 'RS384',
  'SHA-512': 'RS512',
};
