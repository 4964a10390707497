import { AddressTrialDto } from '../../adapters/in/http/manage/credentials/address-trial.dto';
import { PromoteDto, RevokeDto, RotateDto } from '../../adapters/in/http/manage/credentials/credential.dto';
import { ChallengeDto, ProofDto, SampleDto } from '../../adapters/in/http/manage/credentials/possession.dto';
import { PromoteDryRunDto, DryRunDto } from '../../adapters/in/http/manage/credentials/dry-run.dto';
import { ref, whole, type Member, pageOf } from '../../adapters/dto/schema';
import type { ManageCalls } from './operation';
import type { Kind } from './partner-kinds';

const valuesOf = ({ path, id, name, word, own }: Kind): ManageCalls => ({
  [`GET /${path}/{${id}}/credentials`]: {
    ...{ id: `list${name}Credentials`, summary: `See what a ${word}'s credentials are worth`, who: own },
    more: 'Each value with its slot, strength, last use, who proves calls with it, and whether it can be taken away.',
    gives: pageOf('CredentialOverview'),
  },
  [`POST /${path}/{${id}}/rotate`]: {
    ...{ id: `rotate${name}Credential`, summary: 'Replace a credential', who: own },
    more: 'The value before stays accepted for `previous_valid_for_s`. With `slot: next` the new value waits to be taken up by promote. A secret that the service makes is shown in this answer alone. A public key that another app has is taken with `acknowledge_shared_key: true`; from an account of the partner it needs a `challenge` for the `value`, and the `signature` of that challenge, too.',
    ...{ body: RotateDto, gives: ref(`${name}WithSecret`), versioned: 'changed', kinds: ['conflict'] },
  },
  [`POST /${path}/{${id}}/promote`]: {
    ...{ id: `promote${name}Credential`, summary: 'Take up the next credential', who: own },
    more: 'The value in the slot `next` becomes current; the one before stays accepted for `previous_valid_for_s`.',
    ...{ body: PromoteDto, gives: ref(`${name}WithSecret`), versioned: 'changed', kinds: ['conflict'] },
  },
  [`POST /${path}/{${id}}/revoke`]: {
    ...{ id: `revoke${name}Credential`, summary: 'Revoke a credential at once', who: own },
    more: 'Every instance refuses the value within a second. What calls are proved with can be revoked, too: look at `removal` before.',
    ...{ body: RevokeDto, gives: ref(name), versioned: 'changed', kinds: ['conflict'] },
  },
  [`POST /${path}/{${id}}/challenge`]: {
    ...{ id: `challenge${name}`, summary: 'Begin a proof of possession', who: own },
    more: 'Sign the text of `challenge` with the value that is to be proved, and send both to prove. With `value` the challenge is for a public key that is not stored yet: send it with its signature to rotate.',
    ...{ body: ChallengeDto, gives: ref('Challenge') },
  },
  [`POST /${path}/{${id}}/prove`]: {
    ...{ id: `prove${name}`, summary: 'End a proof of possession', who: own, body: ProofDto, gives: ref(name) },
    more: 'A right signature sets `proven_at` of the value; it changes nothing else.',
  },
  [`POST /${path}/{${id}}/sample`]: {
    ...{ id: `sample${name}Signature`, summary: 'Get a text signed with the platform key', who: own },
    more: 'Check the signature with the public key before calls are signed with it.',
    ...{ body: SampleDto, gives: ref('SignatureSample') },
  },
});

const allowlistOf = ({ path, id, name, word, own }: Kind): ManageCalls => ({
  [`GET /${path}/{${id}}/ip-whitelist`]: {
    ...{ id: `get${name}Allowlist`, summary: `Read a ${word}'s allowlist with its hits`, who: own, gives: ref('Allowlist') },
    more: 'The list itself is changed with the settings (`ip_whitelist`).',
  },
  [`POST /${path}/{${id}}/ip-whitelist/trial`]: {
    ...{ id: `try${name}Allowlist`, summary: 'Try another allowlist on the calls that were counted', who: own },
    more: 'Nothing is stored. It says which of the counted callers the other list would refuse.',
    ...{ body: AddressTrialDto, gives: ref('AllowlistTrial') },
  },
});

const last: Member = [
  { ...whole, minimum: 1, maximum: 500 },
  'Latest calls that `of_last` and `differing` take into account; all that are kept unless given.',
];

const dryRunOf = ({ path, id, name, own }: Kind): ManageCalls => ({
  [`GET /${path}/{${id}}/signature-dry-run`]: {
    ...{ id: `get${name}DryRun`, summary: 'Read the signature settings that are tried, and how calls fare with them', who: own },
    more: 'Where nothing is tried it is 404.',
    ...{ query: { last }, gives: ref('SignatureDryRun'), versioned: 'shown' },
  },
  [`PUT /${path}/{${id}}/signature-dry-run`]: {
    ...{ id: `set${name}DryRun`, summary: 'Try other signature settings beside the stored ones', who: own },
    more: 'With `observe` every call is checked both ways and the stored settings alone decide; with `accept` a call is let in where it fits either way. `signature` is a merge patch of the stored settings, with the key that comes with them; without it the mode or the end of what is tried changes.',
    ...{ body: DryRunDto, gives: ref('SignatureDryRun'), versioned: 'changed', kinds: ['conflict'] },
  },
  [`DELETE /${path}/{${id}}/signature-dry-run`]: {
    ...{ id: `end${name}DryRun`, summary: 'End the trial', who: own, kinds: ['conflict', 'precondition-failed'] },
    more: 'The stored settings stay as they are; the counts of the trial are gone.',
  },
  [`POST /${path}/{${id}}/signature-dry-run/promote`]: {
    ...{ id: `promote${name}DryRun`, summary: 'Store the settings that are tried', who: own },
    more: 'Those of before stay accepted for `previous_valid_for_s`; to promote again is the way back.',
    ...{ body: PromoteDryRunDto, gives: ref(name), versioned: 'changed', kinds: ['conflict'] },
  },
});

/** Calls for secrets and keys, proofs of possession, allowlists and dry runs of signature settings. */
export const credentialsOf = (kind: Kind): ManageCalls => ({ ...valuesOf(kind), ...allowlistOf(kind), ...dryRunOf(kind) });
