import { withHeader } from '../changes';
import { requireRefusal } from '../outcome-checks';
import type { Scenario } from '../scenario';
import { kindOf } from './calls';
import { clockFast, flipped, incremented, refuses, requireSigned, takes, withChanged, without } from './signature-twists';

const refused = '4xx or an error_code';
const timeFix = 'Compare the signed timestamp with your clock, in the agreed precision, and refuse beyond 300 s either way.';
const rawFix = 'Build the signed text from the headers that came, not from values of your own.';

/** Scenarios for the timestamp of a signature. */
export const times: readonly Scenario[] = [
  {
    id: 'signature.clock-slow',
    title: 'A clock four minutes slow is accepted',
    sent: 'a good call, signed 240 s ago',
    expected: '2xx',
    line: 'window',
    fix: 'Allow 300 s either way: clocks differ.',
    run: takes(clockFast(-240)),
  },
  {
    id: 'signature.clock-fast',
    title: 'A clock four minutes fast is accepted',
    sent: 'a good call, signed 240 s ahead',
    expected: '2xx',
    line: 'window',
    fix: 'Allow 300 s either way: clocks differ.',
    run: takes(clockFast(240)),
  },
  {
    id: 'signature.expired',
    title: 'A signature of an hour ago is refused',
    sent: 'a good call, signed 3600 s ago',
    expected: refused,
    line: 'window',
    fix: timeFix,
    run: refuses('lead', clockFast(-3600), 'timestamp'),
  },
  {
    id: 'signature.ahead',
    title: 'A signature of an hour ahead is refused',
    sent: 'a good call, signed 3600 s ahead',
    expected: refused,
    line: 'window',
    fix: timeFix,
    run: refuses('lead', clockFast(3600), 'timestamp'),
  },
  {
    id: 'signature.time-no-number',
    title: 'A timestamp that is no number is refused',
    sent: 'a timestamp of letters, properly signed',
    expected: refused,
    line: 'window',
    fix: 'Read the timestamp strictly, as digits; what cannot be read is not in the window.',
    run: refuses('lead', ({ context }) => ({ before: withHeader(context.signature.headerNames.timestamp, 'yesterday') }), 'timestamp'),
  },
  {
    id: 'signature.time-altered',
    title: 'A timestamp that was changed is refused',
    sent: 'the timestamp one unit later than what was signed',
    expected: refused,
    line: 'signature',
    fix: rawFix,
    run: refuses('lead', withChanged('timestamp', incremented), 'timestamp'),
  },
  {
    id: 'signature.no-time',
    title: 'A call without a timestamp is refused',
    sent: 'a good call without the timestamp header',
    expected: refused,
    line: 'window',
    fix: 'Refuse where the timestamp header is missing.',
    run: refuses('lead', without('timestamp'), 'timestamp'),
  },
];

/** Scenarios for the nonce of a signature. */
export const nonces: readonly Scenario[] = [
  {
    id: 'signature.replayed',
    title: 'The very same request a second time is refused',
    sent: 'a good call twice: the same nonce, time, signature and bytes',
    expected: '2xx, then 4xx or an error_code',
    line: 'nonce',
    fix: 'Keep each nonce for ten minutes, once its signature has verified, and refuse it from then on.',
    run: async (bench, state) => {
      requireSigned(bench, 'nonce');
      const kind = kindOf(bench.context, 'lead');
      const call = await state.good(kind, bench);
      const draft = await bench.prepare(call);
      await bench.requireTaken(call, await bench.put(draft, bench.context.deadlineMs(kind)));
      requireRefusal(await bench.put(draft, bench.context.deadlineMs(kind)));
    },
  },
  {
    id: 'signature.nonce-altered',
    title: 'A nonce that was changed is refused',
    sent: 'the nonce changed after signing',
    expected: refused,
    line: 'nonce',
    fix: rawFix,
    run: refuses('lead', withChanged('nonce', flipped), 'nonce'),
  },
  {
    id: 'signature.no-nonce',
    title: 'A call without a nonce is refused',
    sent: 'a good call without the nonce header',
    expected: refused,
    line: 'nonce',
    fix: 'Refuse where the nonce header is missing.',
    run: refuses('lead', without('nonce'), 'nonce'),
  },
];
