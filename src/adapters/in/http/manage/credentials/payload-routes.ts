import type { Request } from 'express';
import { acceptedValues } from '../../../../../domain/credentials/credential';
import { shownText } from '../../../../../domain/credentials/explain/visible-text';
import type { OpenedPayload, PayloadCipher } from '../../../../../domain/credentials/ports';
import type { HostAppRepository } from '../../../../../domain/partners/ports';
import { InvalidInput } from '../../../../../domain/shared/errors';
import type { Clock } from '../../../../../domain/shared/ports';
import { Secret } from '../../../../../domain/shared/secret';
import { requireOwn, viewerOf } from '../http/access';
import { readInput } from '../http/json-body';
import { present } from '../http/present';
import type { Handler } from '../http/serve';
import { OpenPayloadDto } from './sign.dto';

export interface PayloadRoutesDeps {
  readonly cipher: PayloadCipher;
  readonly hostApps: HostAppRepository;
  readonly clock: Clock;
}

/** Why a payload cannot be decrypted, explained to the holder of its key. */
const problems: Readonly<Record<NonNullable<OpenedPayload['problem']>, string>> = {
  encoding: 'It is not base64 (AES-CBC), nor v2. and base64url (AES-GCM): look for blanks, line breaks or a second alphabet.',
  length: 'It has not the length of an IV and whole blocks: the IV of 16 bytes (CBC) or 12 bytes (GCM) stands in front.',
  key: 'The key is not 32 bytes in URL-safe base64 (44 characters).',
  padding: 'It does not end in PKCS #7 padding: another key or IV was used, or the text of the key was used instead of its 32 bytes.',
  tag: 'The tag does not fit: another key or nonce was used, or the additional data is not client_id, a dot and app_id.',
  cipher: 'The host app takes AES-GCM alone, and this is AES-CBC.',
};

/** Decrypts a payload of `partner/login` for the holder of its key. */
export const openingPayloads =
  (deps: PayloadRoutesDeps): Handler<unknown> =>
  async (req, res) => {
    const { payload, client_id: clientId, app_id: appId = '', secret_key: given } = await readInput(req, OpenPayloadDto);
    const sealed = { text: payload, clientId, appId, gcmOnly: false };
    const keys = given === undefined ? await storedKeys(req, clientId, deps) : [new Secret(given)];
    const tried = keys.map((key) => deps.cipher.open(sealed, key));
    const { plain, problem } = tried.find((one) => one.problem === undefined) ?? tried[0]!;
    const cipher = payload.startsWith('v2.') ? 'AES-256-GCM' : 'AES-256-CBC';
    const opens = problem === undefined;
    res.json(present({ opens, cipher, plain: opens ? shownText(plain) : undefined, problem, sentence: problem && problems[problem] }));
  };

/** A stored key decrypts for its owner alone, because the content is personal data. */
async function storedKeys(req: Request, clientId: string, { hostApps, clock }: PayloadRoutesDeps): Promise<readonly Secret[]> {
  requireOwn(req, 'host-app', clientId);
  const hostApp = viewerOf(req).role === 'host-app' ? await hostApps.find(clientId) : undefined;
  const keys = acceptedValues(hostApp?.credentials.secret_key, clock.now()).map(({ secret }) => secret);
  if (keys.length === 0) throw new InvalidInput([{ path: 'secret_key', rule: 'is required: a stored key opens for its owner alone' }]);
  return keys;
}
