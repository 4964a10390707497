import type { Request } from 'express';
import type { CredentialValue } from '../../../../../domain/credentials/credential';
import type { GivenScheme } from '../../../../../domain/credentials/explain/explain-signature';
import type { PreviewSignature, SignaturePreview } from '../../../../../domain/credentials/signing/preview-signature';
import type { SignatureAlgorithm } from '../../../../../domain/credentials/signing/signature-settings';
import type { HostApp } from '../../../../../domain/partners/host-app';
import type { Miniapp } from '../../../../../domain/partners/miniapp';
import type { HostAppRepository, MiniappRepository } from '../../../../../domain/partners/ports';
import { UnknownPartner } from '../../../../../domain/partners/registry-errors';
import { InvalidInput } from '../../../../../domain/shared/errors';
import type { Clock } from '../../../../../domain/shared/ports';
import { requireOwn, viewerOf } from '../http/access';
import { givenScheme, type SchemeTools } from './given-scheme';
import { readInput } from '../http/json-body';
import { present } from '../http/present';
import type { Handler } from '../http/serve';
import { SignDto } from './sign.dto';

export interface SignRoutesDeps extends SchemeTools {
  readonly preview: PreviewSignature;
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
  readonly clock: Clock;
}

/** Explains step by step how a call is signed. */
export const signing =
  (deps: SignRoutesDeps): Handler<unknown> =>
  async (req, res) => {
    const input = await readInput(req, SignDto);
    const { settings, credentials, merchantId } = await schemeOf(req, input, deps);
    const { method, target, body = '' } = input.request;
    const pair = input.throwaway_key === true ? await throwaway(settings.algorithm, deps) : undefined;
    const { timestamp, nonce } = input;
    const key = pair ?? credentials.hmac_secret?.current;
    const call = {
      settings,
      key: signs(settings.algorithm, key),
      merchantId,
      method,
      target,
      body: Buffer.from(body, 'utf8'),
      timestamp,
      nonce,
    };
    res.json(previewView(await deps.preview.execute(call, deps.clock.now()), pair));
  };

/** Uses the given settings, else those of a stored app. The stored shared secret signs for its owner alone. */
async function schemeOf(req: Request, input: SignDto, deps: SignRoutesDeps): Promise<GivenScheme> {
  const { signature, client_id: clientId, app_id: appId, merchant_id: merchantId } = input;
  if ([signature, clientId, appId].filter((given) => given !== undefined).length !== 1) {
    throw new InvalidInput([{ path: '', rule: 'must hold one of signature, client_id and app_id' }]);
  }
  if (signature !== undefined) return givenScheme(signature, { ...deps, merchantId });
  const partner = await ownPartner(req, { clientId, appId }, deps);
  const isOwner = viewerOf(req).role === partner.kind;
  const { hmac_secret } = partner.credentials;
  return { settings: partner.settings.signature, credentials: isOwner && hmac_secret ? { hmac_secret } : {}, merchantId };
}

async function ownPartner(
  req: Request,
  { clientId, appId }: { readonly clientId: string | undefined; readonly appId: string | undefined },
  { hostApps, miniapps }: SignRoutesDeps,
): Promise<HostApp | Miniapp> {
  const kind = clientId === undefined ? 'miniapp' : 'host-app';
  const id = clientId ?? appId ?? '';
  requireOwn(req, kind, id);
  const found = kind === 'miniapp' ? await miniapps.find(id) : await hostApps.find(id);
  if (!found) throw new UnknownPartner(kind);
  return found;
}

const signs = (algorithm: SignatureAlgorithm | undefined, key: CredentialValue | undefined): CredentialValue | undefined =>
  (algorithm ?? 'HMAC') === 'HMAC' || key?.publicKey !== undefined ? key : undefined;

async function throwaway(algorithm: SignatureAlgorithm | undefined, { intake }: SignRoutesDeps): Promise<CredentialValue | undefined> {
  return algorithm === 'RSA2' || algorithm === 'ECDSA' ? intake.newPlatformKey(algorithm) : undefined;
}

const previewView = (preview: SignaturePreview, pair: CredentialValue | undefined): object => {
  const { url, text, bytes, signature, headers, code, checkingCode } = preview;
  return present({ url, signed_string: text, bytes, signature, headers, public_key: pair?.publicKey, code, checking_code: checkingCode });
};
