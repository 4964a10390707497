import type { IpAddressMatcher } from '../../../../../domain/credentials/ports';
import type { GivenCredentials } from '../../../../../domain/credentials/given-credentials';
import type { Partner, PartnerDraft } from '../../../../../domain/partners/partner-draft';
import type { RegisterPartnerCommand } from '../../../../../domain/partners/register-partner';
import { idName } from '../../../../../domain/partners/registry-errors';
import type { FieldProblem } from '../../../../../domain/shared/errors';
import type { JsonObject } from '../../../../../domain/shared/json';
import { Secret } from '../../../../../domain/shared/secret';
import { isPlainObject, mergePatch, type Plain, type PlainObject, plainOf } from '../http/merge-patch';
import type { PartnerInput, PartnerMapper } from './partner-mapper';
import { unknownMembers } from '../../../../dto/read-dto';
import { withoutPreset } from '../credentials/signature-mapper';
import { type TidyBody, tidyUrls } from '../http/tidy-urls';

interface DraftRules<P extends Partner> {
  readonly mapper: PartnerMapper<P>;
  readonly addresses: IpAddressMatcher;
  /** Why the service would not call a URL; `undefined` when it would. */
  readonly urlProblem: (url: string) => string | undefined;
  /** Whether URLs with plain http may be stored. */
  readonly allowHttp: boolean;
}

/** Read-only members of a partner. A patch may contain them, so that a view can be sent back; they are ignored. */
const spoken = ['version', 'credentials', 'warnings', 'signature_dry_run'];

/** Converts the bodies that operators send to drafts. `problems` names every member that breaks a rule. */
export class DraftReader<P extends Partner> {
  constructor(private readonly rules: DraftRules<P>) {}

  /** Converts the URLs of a body to their stored form. */
  tidy(body: JsonObject): TidyBody {
    return tidyUrls(body, this.rules);
  }

  /** Reads a new partner. Null counts as absent. */
  registration({ body, problems: ofUrls }: TidyBody): Pick<RegisterPartnerCommand<P>, 'draft' | 'id' | 'secretKey'> {
    const { mapper } = this.rules;
    const idMember = idName[mapper.kind];
    const { plain, problems } = plainOf(body);
    const { [idMember]: id = null, secret_key = null, ...rest } = plain;
    const given = [...problems, ...ofUrls, ...notText(idMember, id), ...notText('secret_key', secret_key)];
    const draft = this.draft({ patch: rest, view: {}, problems: given });
    return {
      draft,
      id: typeof id === 'string' ? id : undefined,
      secretKey: typeof secret_key === 'string' ? new Secret(secret_key) : undefined,
    };
  }

  /** Applies a merge patch to a present partner (RFC 7396). */
  edit({ body, problems: ofUrls }: TidyBody): (partner: P) => PartnerDraft<P['settings']> {
    const { plain: patch, problems: poisonous } = plainOf(body);
    const problems = [...poisonous, ...ofUrls];
    for (const name of spoken) Reflect.deleteProperty(patch, name);
    return (partner) => {
      const draft = this.draft({ patch, view: this.rules.mapper.view(partner), problems });
      const { signatureDryRun } = partner.settings;
      // The dry run stays as it is: it has routes of its own.
      return signatureDryRun ? { ...draft, settings: { ...draft.settings, signatureDryRun } } : draft;
    };
  }

  private draft({
    patch,
    view,
    problems,
  }: {
    patch: PlainObject;
    view: PlainObject;
    problems: readonly FieldProblem[];
  }): PartnerDraft<P['settings']> {
    const { mapper } = this.rules;
    const merged = mergePatch(view, spelledOut(patch)) as PlainObject;
    const fixed = takeReadOnly({ merged, view, idMember: idName[mapper.kind] });
    const { dto: input, settings, calledUrls, problems: broken } = mapper.read(merged);
    const unknown = unknownMembers(mapper.Dto, withoutReadOnly(patch, idName[mapper.kind]));
    const all = [...problems, ...fixed, ...unknown, ...broken, ...this.urlProblems(calledUrls), ...this.addressProblems(input)];
    const byPath = new Map(all.map((problem) => [problem.path, problem]));
    return {
      ...{ settings, credentials: givenCredentials({ patch, view, merged, input }), problems: [...byPath.values()] },
      acknowledgesSharedKey: input.signature?.acknowledge_shared_key === true,
    };
  }

  private urlProblems(urls: Readonly<Record<string, string | undefined>>): FieldProblem[] {
    return Object.entries(urls).flatMap(([path, url]) => {
      const rule = url === undefined ? undefined : this.rules.urlProblem(url);
      return rule === undefined ? [] : [{ path, rule }];
    });
  }

  private addressProblems(input: PartnerInput): FieldProblem[] {
    return (input.ip_whitelist?.addresses ?? []).flatMap((entry, i) => {
      const rule = this.rules.addresses.problem(entry);
      return rule === undefined ? [] : [{ path: `ip_whitelist.addresses[${String(i)}]`, rule }];
    });
  }
}

const notText = (path: string, value: Plain): FieldProblem[] =>
  value === null || typeof value === 'string' ? [] : [{ path, rule: 'must be text' }];

const memberOf = (object: PlainObject | undefined, name: string): Plain | undefined =>
  object && Object.hasOwn(object, name) ? object[name] : undefined;

const signatureOf = (plain: PlainObject): PlainObject | undefined => {
  const signature = memberOf(plain, 'signature');
  return isPlainObject(signature) ? signature : undefined;
};

function spelledOut(patch: PlainObject): PlainObject {
  const signature = signatureOf(patch);
  return signature ? { ...patch, signature: withoutPreset(signature) } : patch;
}

/** Removes read-only members, and reports those that differ from the shown value. */
function takeReadOnly({ merged, view, idMember }: { merged: PlainObject; view: PlainObject; idMember: string }): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (memberOf(merged, idMember) !== memberOf(view, idMember)) problems.push({ path: idMember, rule: 'is read-only' });
  const signature = signatureOf(merged);
  const key = 'platform_public_key';
  if (signature && memberOf(signature, key) !== memberOf(signatureOf(view), key)) {
    problems.push({ path: `signature.${key}`, rule: 'is read-only: the service makes this key' });
  }
  for (const name of [idMember, ...spoken]) Reflect.deleteProperty(merged, name);
  if (signature) Reflect.deleteProperty(signature, key);
  return problems;
}

function withoutReadOnly(patch: PlainObject, idMember: string): PlainObject {
  const { [idMember]: _id, ...rest } = patch;
  const signature = signatureOf(rest);
  if (!signature) return rest;
  const { platform_public_key: _key, ...writable } = signature;
  return { ...rest, signature: writable };
}

function givenCredentials({
  patch,
  view,
  merged,
  input,
}: {
  patch: PlainObject;
  view: PlainObject;
  merged: PlainObject;
  input: PartnerInput;
}): GivenCredentials {
  const given: { -readonly [K in keyof GivenCredentials]: GivenCredentials[K] } = {};
  const patched = memberOf(patch, 'signature');
  const publicKey = memberOf(signatureOf(merged), 'partner_public_key');

  if (memberOf(patch, 'host_app_secret_key') === null) given.host_app_secret_key = null;
  else if (input.host_app_secret_key !== undefined) given.host_app_secret_key = new Secret(input.host_app_secret_key);

  if (patched === null || memberOf(signatureOf(patch), 'hmac_secret') === null) given.hmac_secret = null;
  else if (input.signature?.hmac_secret !== undefined) given.hmac_secret = new Secret(input.signature.hmac_secret);

  // The public key is shown, so a body can repeat it: an unchanged text means no change.
  if (publicKey === undefined) given.partner_public_key = null;
  else if (publicKey !== memberOf(signatureOf(view), 'partner_public_key') && input.signature?.partner_public_key !== undefined) {
    given.partner_public_key = new Secret(input.signature.partner_public_key);
  }
  return given;
}
