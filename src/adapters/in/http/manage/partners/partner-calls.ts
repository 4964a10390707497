import { described, members, page, ref, text, type Schema } from '../../../../dto/schema';
import { PromoteDto, RevokeDto, RotateDto } from '../credentials/credential.dto';
import type { Calls } from '../http/call';
import { patchDetails } from '../http/merge-patch';
import type { KindOfPartner } from './partner-kinds';

/** A new partner may bring an existing id and key. */
const brought = ({ name, id }: KindOfPartner): Schema => ({
  allOf: [
    ref(`${name}Input`),
    members({
      [`${id}?`]: [
        { ...text, pattern: '^[A-Za-z0-9_-]{1,64}$' },
        `${id === 'client_id' ? 'Client' : 'App'} ID that the partner has elsewhere. Absent: the service draws one.`,
      ],
      'secret_key?': [text, 'Secret key that the partner has elsewhere. Absent: the service makes one.'],
    }),
  ],
});

const asSeen = (name: KindOfPartner['name']): Schema =>
  described('Whole to the operator and to its own partner; to the other side of its integrations what people see of it.', {
    anyOf: [ref(name), ref(`${name}SeenByOthers`)],
  });

/** Partners of one kind and their settings. */
export const partnerCalls = (kind: KindOfPartner) => {
  const { path, id, name, word } = kind;
  return {
    list: {
      at: `GET /${path}`,
      ...{ id: `list${name}s`, summary: `List ${word}s, by id`, who: 'everyone', filters: {}, gives: page(asSeen(name)) },
      more: 'The operator sees all, a partner itself and those with which it has integrations.',
    },
    create: {
      at: `POST /${path}`,
      ...{ id: `create${name}`, summary: `Register a ${word}`, who: 'operator', body: brought(kind) },
      more: `The answer is the only one that holds the \`secret_key\`. To move a partner here from elsewhere, give its \`${id}\` and \`secret_key\`.`,
      ...{ gives: ref(`${name}WithSecret`), status: 201, versioned: 'shown', location: true, kinds: ['conflict'] },
    },
    get: {
      at: `GET /${path}/{${id}}`,
      ...{ id: `get${name}`, summary: `Read a ${word}`, who: 'everyone', gives: asSeen(name), versioned: 'shown' },
      more: 'Secrets are shown as fingerprints. `ETag` holds the version that `If-Match` takes.',
    },
    patch: {
      at: `PATCH /${path}/{${id}}`,
      ...{ id: `change${name}`, summary: `Change a ${word}`, who: kind.own, more: patchDetails },
      ...{ body: ref(`${name}Patch`), patch: true, gives: ref(name), versioned: 'changed', kinds: ['conflict'] },
    },
    remove: {
      at: `DELETE /${path}/{${id}}`,
      ...{ id: `remove${name}`, summary: `Remove a ${word}`, who: 'operator', kinds: ['conflict'] },
      more: 'Refused with 409 while it has integrations. Its credentials are gone with it.',
    },
  } satisfies Calls;
};

/** Changes of a partner's credentials. */
export const credentialChanges = ({ path, id, name, own }: KindOfPartner) =>
  ({
    rotate: {
      at: `POST /${path}/{${id}}/rotate`,
      ...{ id: `rotate${name}Credential`, summary: 'Replace a credential', who: own },
      more: 'The value before stays accepted for `previous_valid_for_s`. With `slot: next` the new value waits to be taken up by promote. A secret that the service makes is shown in this answer alone. A public key that another app has is taken with `acknowledge_shared_key: true`; from an account of the partner it needs a `challenge` for the `value`, and the `signature` of that challenge, too.',
      ...{ body: RotateDto, gives: ref(`${name}WithSecret`), versioned: 'changed', kinds: ['conflict'] },
    },
    promote: {
      at: `POST /${path}/{${id}}/promote`,
      ...{ id: `promote${name}Credential`, summary: 'Take up the next credential', who: own },
      more: 'The value in the slot `next` becomes current; the one before stays accepted for `previous_valid_for_s`.',
      ...{ body: PromoteDto, gives: ref(`${name}WithSecret`), versioned: 'changed', kinds: ['conflict'] },
    },
    revoke: {
      at: `POST /${path}/{${id}}/revoke`,
      ...{ id: `revoke${name}Credential`, summary: 'Revoke a credential at once', who: own },
      more: 'Every instance refuses the value within a second. What calls are proved with can be revoked, too: look at `removal` before.',
      ...{ body: RevokeDto, gives: ref(name), versioned: 'changed', kinds: ['conflict'] },
    },
  }) satisfies Calls;
