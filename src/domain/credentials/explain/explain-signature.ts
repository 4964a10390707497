import type { HostApp } from '../../partners/host-app';
import type { Miniapp } from '../../partners/miniapp';
import type { HostAppRepository, MiniappRepository, PartnerDirectory } from '../../partners/ports';
import { UnknownPartner } from '../../partners/registry-errors';
import { JsonObject, JsonSyntaxError } from '../../shared/json';
import { readJson } from '../../shared/read-json';
import { headerOnce, type InboundRequest } from '../check';
import { readableOf, type Credentials } from '../credential';
import type { SignatureSettings } from '../signing/signature-settings';
import type { Explanation } from './explanation';
import type { CaseExplainer } from './case-explainer';
import type { SignatureCase } from './signature-case';
import type { OtherSigner } from './suspect-keys';

/** Settings and credentials to try instead of the stored ones. */
export interface GivenScheme {
  readonly settings: SignatureSettings;
  readonly credentials: Credentials;
  readonly merchantId?: string | undefined;
}

/** The partner whose signature is explained. */
export interface Signer {
  readonly kind: 'host-app' | 'miniapp';
  readonly id: string;
}

export interface ExplainSignatureCommand {
  readonly request: InboundRequest;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Absent: derived from the path and the ids of the request. */
  readonly signer?: Signer | undefined;
  /** Set for a refused request: if its signature fits, only the nonce can be the reason. */
  readonly wasRefused?: boolean;
  /** Set where other partners' keys must not be tried, because the caller may not learn about them. */
  readonly isAlone?: boolean;
}

interface Deps {
  readonly explainer: CaseExplainer;
  readonly directory: PartnerDirectory;
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
  readonly publicBaseUrl: string;
  readonly windowS: number;
}

/** Maximum number of apps of each kind whose keys are tried. */
const maxOthers = 250;

/** Names the mistake in a request whose signature was refused. Never used by relayed calls. */
export class ExplainSignature {
  constructor(private readonly deps: Deps) {}

  /** As `execute`, but with given settings and credentials instead of stored ones. */
  async tryOut(
    scheme: GivenScheme,
    { request, receivedAt }: Pick<ExplainSignatureCommand, 'request' | 'receivedAt'>,
  ): Promise<Explanation> {
    const { publicBaseUrl, windowS } = this.deps;
    const { clientId, appId } = idsOf(request);
    const ids = { ...(appId !== undefined && { app_id: appId }), ...(clientId !== undefined && { client_id: clientId }) };
    const { settings, credentials, merchantId } = scheme;
    const theCase: SignatureCase = { request, settings, credentials, merchantId, receivedAt, publicBaseUrl, windowS, others: [], ids };
    return asFound(await this.deps.explainer.explain(theCase), { theCase, wasRefused: false });
  }

  /** Throws UnknownPartner where no partner has the id in the request or the command, Unavailable as CaseExplainer does. */
  async execute({ request, receivedAt, signer, wasRefused, isAlone }: ExplainSignatureCommand): Promise<Explanation> {
    const ids = idsOf(request);
    const partner = await this.partner(signer ?? (await this.signerOf(request, ids)));
    const { clientId, appId } = partner.kind === 'host-app' ? { ...ids, clientId: partner.id } : { ...ids, appId: partner.id };
    const integrationRecord =
      clientId !== undefined && appId !== undefined ? await this.deps.directory.integrationRecord(clientId, appId) : undefined;
    const theCase: SignatureCase = {
      request,
      settings: partner.settings.signature,
      credentials: readableOf(partner.credentials),
      merchantId: integrationRecord?.settings.merchantId,
      receivedAt,
      publicBaseUrl: this.deps.publicBaseUrl,
      windowS: this.deps.windowS,
      others: isAlone === true ? [] : await this.others(partner),
      ids: { ...(appId !== undefined && { app_id: appId }), ...(clientId !== undefined && { client_id: clientId }) },
    };
    return asFound(await this.deps.explainer.explain(theCase), { theCase, wasRefused: wasRefused === true });
  }

  private async partner({ kind, id }: Signer): Promise<HostApp | Miniapp> {
    const found = kind === 'host-app' ? await this.deps.directory.hostApp(id) : await this.deps.directory.miniapp(id);
    if (!found) throw new UnknownPartner(kind);
    return found;
  }

  /**
   * The partner whose signature a path requires (contract/authentication#checks-by-endpoint); for a host app's event, according to its
   * integration.
   */
  private async signerOf({ target }: InboundRequest, { clientId, appId }: Ids): Promise<Signer> {
    const isPair = clientId !== undefined && appId !== undefined;
    const integrationRecord =
      isPair && hostAppEventPath.test(target) ? await this.deps.directory.integrationRecord(clientId, appId) : undefined;
    const { hostAppEventsCheckedBy = 'miniapp' } = integrationRecord?.settings ?? {};
    const kind = hostAppPath.test(target) || hostAppEventsCheckedBy !== 'miniapp' ? 'host-app' : 'miniapp';
    const id = kind === 'host-app' ? clientId : appId;
    if (id === undefined) throw new UnknownPartner(kind);
    return { kind, id };
  }

  private async others({ kind, id }: Signer): Promise<readonly OtherSigner[]> {
    const hostApps = await this.deps.hostApps.list({ limit: maxOthers });
    const miniapps = await this.deps.miniapps.list({ limit: maxOthers });
    return [...hostApps, ...miniapps]
      .filter((other) => other.kind !== kind || other.id !== id)
      .map((other) => ({
        name: `${other.kind} ${other.id}`,
        credentials: readableOf(other.credentials),
        apiClientId: other.settings.signature.apiClientId,
      }));
  }
}

const hostAppEventPath = /^\/api\/v1\/event(?:s|-bridge)\/hostapp(?:[/?]|$)/;
const hostAppPath = /^\/api\/v1\/(?:connect|orders\/complete-order|accounts\/consent)(?:[/?]|$)/;

interface Ids {
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

/** The ids of a call, from its body or its headers. */
function idsOf(request: InboundRequest): Ids {
  const body = bodyOf(request);
  const read = (name: string, header: string): string | undefined => {
    const value = body?.get(name);
    return typeof value === 'string' && value !== '' ? value : headerOnce(request, header);
  };
  return { clientId: read('client_id', 'X-Hostapp-Client-Id'), appId: read('app_id', 'X-Miniapp-App-Id') };
}

function bodyOf({ body }: InboundRequest): JsonObject | undefined {
  try {
    const json = readJson(body);
    return json instanceof JsonObject ? json : undefined;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return undefined;
  }
}

interface Known {
  readonly theCase: SignatureCase;
  readonly wasRefused: boolean;
}

/** The explanation for a valid signature: the nonce was used before, or the settings have changed since. */
function asFound(explanation: Explanation, { theCase: { settings }, wasRefused }: Known): Explanation {
  if (explanation.verdict !== 'fits') return explanation;
  if (!wasRefused) {
    const more = settings.nonceLength > 0 ? ', unless its nonce was used before' : '';
    return { ...explanation, sentence: `${explanation.sentence.slice(0, -1)}: it is accepted${more}.` };
  }
  if (settings.nonceLength === 0) {
    return {
      ...explanation,
      sentence: `${explanation.sentence} Since it was refused the settings or keys were changed: now it is accepted.`,
    };
  }
  const sentence = `You sent ${settings.headerNames.nonce} a second time: each nonce is accepted once.`;
  return { ...explanation, verdict: 'explained', causes: [{ codes: ['nonce-used'], sentence: sentence.slice(0, -1) }], sentence };
}
