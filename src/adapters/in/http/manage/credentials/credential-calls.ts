import { dryRunRules } from '../../../../../domain/credentials/dry-run/signature-dry-run';
import { pageOf, ref } from '../../../../dto/schema';
import type { Calls } from '../http/call';
import { whole } from '../http/query';
import type { KindOfPartner } from '../partners/partner-kinds';
import { AddressTrialDto } from './address-trial.dto';
import { DryRunDto, PromoteDryRunDto } from './dry-run.dto';
import { ChallengeDto, ProofDto, SampleDto } from './possession.dto';

/** The state of a partner's credentials. */
export const credentialOverviews = ({ path, id, name, word, own }: KindOfPartner) =>
  ({
    list: {
      at: `GET /${path}/{${id}}/credentials`,
      ...{ id: `list${name}Credentials`, summary: `See what a ${word}'s credentials are worth`, who: own },
      more: 'Each value with its slot, strength, last use, who proves calls with it, and whether it can be taken away.',
      gives: pageOf('CredentialOverview'),
    },
  }) satisfies Calls;

/** Proofs that a partner has the other half of a key. */
export const possessionCalls = ({ path, id, name, own }: KindOfPartner) =>
  ({
    challenge: {
      at: `POST /${path}/{${id}}/challenge`,
      ...{ id: `challenge${name}`, summary: 'Begin a proof of possession', who: own },
      more: 'Sign the text of `challenge` with the value that is to be proved, and send both to prove. With `value` the challenge is for a public key that is not stored yet: send it with its signature to rotate.',
      ...{ body: ChallengeDto, gives: ref('Challenge') },
    },
    prove: {
      at: `POST /${path}/{${id}}/prove`,
      ...{ id: `prove${name}`, summary: 'End a proof of possession', who: own, body: ProofDto, gives: ref(name) },
      more: 'A right signature sets `proven_at` of the value; it changes nothing else.',
    },
    sample: {
      at: `POST /${path}/{${id}}/sample`,
      ...{ id: `sample${name}Signature`, summary: 'Get a text signed with the platform key', who: own },
      more: 'Check the signature with the public key before calls are signed with it.',
      ...{ body: SampleDto, gives: ref('SignatureSample') },
    },
  }) satisfies Calls;

/** A partner's allowlist with its hits. */
export const allowlistCalls = ({ path, id, name, word, own }: KindOfPartner) =>
  ({
    show: {
      at: `GET /${path}/{${id}}/ip-whitelist`,
      ...{ id: `get${name}Allowlist`, summary: `Read a ${word}'s allowlist with its hits`, who: own, gives: ref('Allowlist') },
      more: 'The list itself is changed with the settings (`ip_whitelist`).',
    },
    trial: {
      at: `POST /${path}/{${id}}/ip-whitelist/trial`,
      ...{ id: `try${name}Allowlist`, summary: 'Try another allowlist on the calls that were counted', who: own },
      more: 'Nothing is stored. It says which of the counted callers the other list would refuse.',
      ...{ body: AddressTrialDto, gives: ref('AllowlistTrial') },
    },
  }) satisfies Calls;

const last = whole(
  1,
  dryRunRules.callsKept,
  'Latest calls that `of_last` and `differing` take into account; all that are kept unless given.',
);

/** Signature settings that are tried on every call beside the stored ones. */
export const dryRunCalls = ({ path, id, name, own }: KindOfPartner) =>
  ({
    show: {
      at: `GET /${path}/{${id}}/signature-dry-run`,
      ...{ id: `get${name}DryRun`, summary: 'Read the signature settings that are tried, and how calls fare with them', who: own },
      more: 'Where nothing is tried it is 404.',
      ...{ query: { last }, gives: ref('SignatureDryRun'), versioned: 'shown' },
    },
    set: {
      at: `PUT /${path}/{${id}}/signature-dry-run`,
      ...{ id: `set${name}DryRun`, summary: 'Try other signature settings beside the stored ones', who: own },
      more: 'With `observe` every call is checked both ways and the stored settings alone decide; with `accept` a call is let in where it fits either way. `signature` is a merge patch of the stored settings, with the key that comes with them; without it the mode or the end of what is tried changes.',
      ...{ body: DryRunDto, gives: ref('SignatureDryRun'), versioned: 'changed', kinds: ['conflict'] },
    },
    end: {
      at: `DELETE /${path}/{${id}}/signature-dry-run`,
      ...{ id: `end${name}DryRun`, summary: 'End the trial', who: own, kinds: ['conflict', 'precondition-failed'] },
      more: 'The stored settings stay as they are; the counts of the trial are gone.',
    },
    promote: {
      at: `POST /${path}/{${id}}/signature-dry-run/promote`,
      ...{ id: `promote${name}DryRun`, summary: 'Store the settings that are tried', who: own },
      more: 'Those of before stay accepted for `previous_valid_for_s`; to promote again is the way back.',
      ...{ body: PromoteDryRunDto, gives: ref(name), versioned: 'changed', kinds: ['conflict'] },
    },
  }) satisfies Calls;
