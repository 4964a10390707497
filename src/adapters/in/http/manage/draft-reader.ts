import type { AddressBook } from '../../../../domain/credentials/ports';
import type { GivenCredentials } from '../../../../domain/credentials/given-credentials';
import type { Partner, PartnerDraft } from '../../../../domain/partners/partner-draft';
import type { RegisterPartnerCommand } from '../../../../domain/partners/register-partner';
import { idName } from '../../../../domain/partners/registry-errors';
import type { FieldProblem } from '../../../../domain/shared/errors';
import type { JsonObject } from '../../../../domain/shared/json';
import { Secret } from '../../../../domain/shared/secret';
import { isPlainObject, mergePatch, type Plain, type PlainObject, plainOf } from './merge-patch';
import type { PartnerFacts, PartnerWire } from './partner-wire';
import { unknownMembers } from '../../../dto/read-dto';
import { withoutPreset } from './signature-wire';
import { type TidyBody, tidyUrls } from './tidy-urls';

interface DraftRules<P extends Partner> {
  readonly wire: PartnerWire<P>;
  readonly addresses: AddressBook;
  /** Why the service would not call a URL. */
  readonly urlProblem: (url: string) => string | undefined;
  /** URLs of plain http may be stored. */
  readonly allowHttp: boolean;
}

/** What the service says of a partner; in a patch it is allowed, so that a view can be sent back, and means nothing. */
const spoken = ['version', 'credentials', 'warnings', 'signature_shadow'];

/** Makes drafts of the bodies that operators send; every member that breaks a rule is named in `problems`. */
export class DraftReader<P extends Partner> {
  constructor(private readonly rules: DraftRules<P>) {}

  /** A body with its URLs as they are stored. */
  tidy(body: JsonObject): TidyBody {
    return tidyUrls(body, this.rules);
  }

  /** A new partner. Null and absent are equal. */
  registration({ body, problems: ofUrls }: TidyBody): Pick<RegisterPartnerCommand<P>, 'draft' | 'id' | 'secretKey'> {
    const { wire } = this.rules;
    const idMember = idName[wire.kind];
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

  /** A present partner after a merge patch (RFC 7396). */
  edit({ body, problems: ofUrls }: TidyBody): (partner: P) => PartnerDraft<P['settings']> {
    const { plain: patch, problems: poisonous } = plainOf(body);
    const problems = [...poisonous, ...ofUrls];
    for (const name of spoken) Reflect.deleteProperty(patch, name);
    return (partner) => {
      const draft = this.draft({ patch, view: this.rules.wire.view(partner), problems });
      const { signatureShadow } = partner.settings;
      // Tried settings stay, whatever else is changed: they have routes of their own.
      return signatureShadow ? { ...draft, settings: { ...draft.settings, signatureShadow } } : draft;
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
    const { wire } = this.rules;
    const merged = mergePatch(view, spelledOut(patch)) as PlainObject;
    const fixed = takeReadOnly({ merged, view, idMember: idName[wire.kind] });
    const { dto: facts, settings, calledUrls, problems: broken } = wire.read(merged);
    const unknown = unknownMembers(wire.Dto, withoutReadOnly(patch, idName[wire.kind]));
    const all = [...problems, ...fixed, ...unknown, ...broken, ...this.urlProblems(calledUrls), ...this.addressProblems(facts)];
    const byPath = new Map(all.map((problem) => [problem.path, problem]));
    return {
      ...{ settings, credentials: givenCredentials({ patch, view, merged, facts }), problems: [...byPath.values()] },
      acknowledgesSharedKey: facts.signature?.acknowledge_shared_key === true,
    };
  }

  private urlProblems(urls: Readonly<Record<string, string | undefined>>): FieldProblem[] {
    return Object.entries(urls).flatMap(([path, url]) => {
      const rule = url === undefined ? undefined : this.rules.urlProblem(url);
      return rule === undefined ? [] : [{ path, rule }];
    });
  }

  private addressProblems(facts: PartnerFacts): FieldProblem[] {
    return (facts.ip_whitelist?.addresses ?? []).flatMap((entry, i) => {
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

/** Removes read-only members; a problem where one differs from the shown value. */
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
  facts,
}: {
  patch: PlainObject;
  view: PlainObject;
  merged: PlainObject;
  facts: PartnerFacts;
}): GivenCredentials {
  const given: { -readonly [K in keyof GivenCredentials]: GivenCredentials[K] } = {};
  const patched = memberOf(patch, 'signature');
  const publicKey = memberOf(signatureOf(merged), 'partner_public_key');

  if (memberOf(patch, 'host_app_secret_key') === null) given.host_app_secret_key = null;
  else if (facts.host_app_secret_key !== undefined) given.host_app_secret_key = new Secret(facts.host_app_secret_key);

  if (patched === null || memberOf(signatureOf(patch), 'hmac_secret') === null) given.hmac_secret = null;
  else if (facts.signature?.hmac_secret !== undefined) given.hmac_secret = new Secret(facts.signature.hmac_secret);

  // The public key is shown, so the whole tells: the text that was shown means no change.
  if (publicKey === undefined) given.partner_public_key = null;
  else if (publicKey !== memberOf(signatureOf(view), 'partner_public_key') && facts.signature?.partner_public_key !== undefined) {
    given.partner_public_key = new Secret(facts.signature.partner_public_key);
  }
  return given;
}
