import { anyObject, count, flag, list, members, object, oneOf, text, time, whole, type Members, type Schema } from '../../../../dto/schema';
import { pair, pairIfKnown } from '../../../../dto/shared-members';

const summary: Members = {
  ...pair,
  status: [oneOf('proposed', 'accepted', 'suspended'), 'Status of the integration; only an accepted one carries calls.'],
  mode: [oneOf('test', 'live'), 'Whether the operator let it go live.'],
  percent: [{ ...whole, minimum: 0, maximum: 100 }, 'Share of the items that apply and are done.'],
  to_do: [count, 'Items that are missing or failing.'],
  'next?': [
    members({
      id: [text, 'Name of the item for programs; it stays.'],
      title: [text, 'Name of the item for people.'],
      state: [oneOf('missing', 'failing'), '`missing`: nothing proves it yet; `failing`: it was tried, or set, and is wrong.'],
      detail: [text, 'What was found, or the next step, in one sentence.'],
    }),
    'First item to do; absent where nothing is left.',
  ],
};

const item = members({
  id: [text, 'Name of the item for programs; it stays.'],
  title: [text, 'Name of the item for people.'],
  state: [
    oneOf('done', 'missing', 'failing', 'off'),
    '`done`: proven; `missing`: not yet; `failing`: tried and wrong; `off`: it does not apply.',
  ],
  detail: [text, 'What was found, or the next step, in one sentence.'],
  'at?': [time, 'When the proof came; absent where there is none.'],
  'exchange_id?': [text, 'Exchange record that proves it, or shows what is wrong.'],
  'payment_id?': [text, 'Payment that proves it, by its id inside the service.'],
  'delivery_id?': [text, 'Delivery that proves it, or shows what is wrong.'],
});

/** Schemas of problems, expiring credentials, readiness and the audit trail. */
export const serviceShapes: Readonly<Record<string, Schema>> = {
  Trouble: object('Failures of one cause: the same code, party, step and integration.', {
    error_code: [text, 'Code that the callers got.'],
    'failed_side?': [text, 'Party that failed; absent where none is known.'],
    'failed_step?': [text, 'Call to a partner that failed; absent where none did.'],
    ...pairIfKnown,
    state: [
      oneOf('open', 'past', 'muted'),
      '`past`: the same calls went well since, and for an hour none failed; `muted`: an operator muted it.',
    ],
    count: [count, 'Calls that failed so in the range.'],
    first_at: [time, 'When it was first seen in the range.'],
    last_at: [time, 'When it was last seen in the range.'],
    calls: [list(text), 'Endpoints at which it was seen, by their short names.'],
    'acts?': [text, 'Party that has to act; absent where no record of it is kept any more.'],
    'sentence?': [text, 'What happened at the last of these calls, in one sentence.'],
    'next?': [text, 'First thing to do; absent where there is nothing to do.'],
    'exchange_id?': [text, 'Exchange record of the last of these calls; absent where it is not kept any more.'],
    'muted?': [
      members({
        by: [text, 'Who muted it, as the audit trail names them.'],
        reason: [text, 'Why they muted it, in their own words.'],
        at: [time, 'When they muted it.'],
      }),
      'The mute; absent where nobody muted it.',
    ],
  }),
  EndingCredential: object('A value of a credential that is not accepted for long any more.', {
    partner_kind: [oneOf('host-app', 'miniapp'), 'Whether the partner is a host app or a miniapp.'],
    partner_id: [text, 'Client ID or App ID of the partner.'],
    credential: [text, 'Kind of the credential, such as `secret_key`.'],
    which: [oneOf('current', 'previous', 'next'), 'Slot in which the ending value lies.'],
    fingerprint: [text, 'SHA-256 of the value, by which its owner recognises it.'],
    valid_until: [time, 'When it stops being accepted.'],
    'last_used_at?': [time, 'When a call was last proved with it; absent: no call is known.'],
  }),
  ReadinessSummary: object('How far an integration is on the way to go-live.', summary),
  Readiness: object('The checklist of an integration before it goes live.', {
    ...summary,
    'live?': [
      members({
        at: [time, 'When it went live.'],
        by: [text, 'Who let it go live, as the audit trail names them.'],
        'reason?': [text, 'Why it went live although items were missing; absent where none was.'],
        missing: [list(text), 'Items that were missing or failing at that time, by `id`.'],
      }),
      'How it went live; absent while it is in test.',
    ],
    items: [list(item), 'The items of the checklist in the order to do them.'],
  }),
  AuditEntry: object('One change that somebody made.', {
    id: [text, 'Id of the entry; ids rise with time.'],
    at: [time, 'When the change was made.'],
    actor: [text, 'Who made it: the role, and the account where it is one, such as `operator:…`.'],
    action: [text, 'Kind of change, such as `host-app.credential-rotated`.'],
    subject: [text, 'Record that was changed, such as `miniapp:app_abc123`.'],
    request_id: [text, '`X-Request-Id` of the call that made the change.'],
    'before?': [anyObject, 'What changed, as it was; absent of something new.'],
    'after?': [anyObject, 'What changed, as it is; absent of something removed.'],
    'hash?': [text, 'Hash over this entry and, through it, over all before.'],
  }),
  AuditVerdict: object('Whether the audit trail is as it was written.', {
    whole: [flag, 'True if every hash fits its entry and the one before.'],
    entries: [count, 'Entries that were checked.'],
    'last?': [
      members({
        id: [text, 'Id of the last entry.'],
        hash: [text, 'Hash of the last entry; keep it elsewhere to prove later that nothing was cut off.'],
        'at?': [time, 'When the last entry was written.'],
      }),
      'The last entry; absent of an empty trail.',
    ],
    'broken?': [
      members({
        id: [text, 'Id of the first entry that does not fit.'],
        cause: [text, 'What does not fit, in one stable word.'],
      }),
      'The first entry that is not as it was written; absent where all are.',
    ],
  }),
};
