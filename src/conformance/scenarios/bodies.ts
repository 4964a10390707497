import type { Bench, Twist } from '../bench';
import { withBody, withHeader } from '../changes';
import { codeOf, jsonOf, requireHarmless, requireRefusal, shortOf } from '../outcome-checks';
import type { CallInput, Outcome, Role } from '../ports';
import type { RunState } from '../run-state';
import type { Scenario } from '../scenario';
import { Unmet } from '../verdict';
import { kindOf, platformCalls } from './calls';
import { refuses, survives } from './runs';

const refused = '4xx or an error_code';
const broken = (role: Role): Scenario[] =>
  platformCalls[role].map(({ kind, slug, name }): Scenario => ({
    id: `bodies.broken-${slug}`,
    title: `${name}: broken JSON is no fault of yours`,
    sent: 'JSON that ends in the middle, properly proven',
    // The webhook may answer 200 to anything.
    expected: kind === 'webhook' ? 'any answer but a fault' : `${refused}, no fault`,
    line: 'goodJson',
    fix: 'Catch what your JSON parser throws and answer 400 and the Error body.',
    run: (kind === 'webhook' ? survives : refuses)(kind, { before: withBody('{"reference":"u","order":{"amount":') }),
  }));

const oddBodies: readonly (readonly [name: string, title: string, sent: string, body: string | Uint8Array])[] = [
  ['list', 'A list in place of an object is refused', '[]', '[]'],
  ['text', 'A text in place of an object is refused', '"text"', '"text"'],
  ['null', 'null in place of an object is refused', 'null', 'null'],
  ['empty', 'An empty body is refused', 'no bytes', ''],
  ['binary', 'Bytes that are no UTF-8 are refused', 'FF FE 00 80', Uint8Array.of(0xff, 0xfe, 0x00, 0x80)],
];

/** Two MiB: eight times the service's largest request. */
const tooMuch = `{"padding":"${'x'.repeat(2 * 1024 * 1024)}"}`;
const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;

const good = (bench: Bench, state: RunState): Promise<CallInput> => state.good(kindOf(bench.context, 'lead'), bench);

const hard: readonly Scenario[] = [
  {
    id: 'bodies.deep',
    title: 'JSON of 5000 levels is no fault of yours',
    sent: 'objects in objects, 5000 deep, properly proven',
    expected: 'any answer but a fault',
    line: 'goodJson',
    fix: 'Limit the depth that you read, or catch what your parser throws.',
    run: survives('lead', { before: withBody(deep) }),
  },
  {
    id: 'bodies.prototype',
    title: 'Members that are named like parts of the language do no harm',
    sent: '{"__proto__": …, "constructor": …}, properly proven; then a good call',
    expected: 'any answer but a fault; then 2xx',
    line: 'unknownIgnored',
    fix: 'Copy the members that you know by name, never all that came.',
    run: async (bench, state) => {
      const odd = '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"toString":1}';
      await bench.survived(await good(bench, state), { before: withBody(odd) });
      await bench.accepted(await good(bench, state));
    },
  },
  {
    id: 'bodies.too-large',
    title: 'A body of 2 MiB brings nobody down',
    sent: 'a body of 2 MiB, properly proven; then a good call',
    expected: '4xx (413 says it best) or a closed connection; then 2xx',
    line: 'bodySize',
    fix: 'Limit the body (at 256 KiB or somewhat above) and answer 413.',
    run: async (bench, state) => {
      const outcome = await bench.send(await good(bench, state), { before: withBody(tooMuch) });
      if (outcome.silence === undefined) requireHarmless(outcome);
      else if (!outcome.silence.includes('closed')) throw new Unmet(outcome.silence);
      await bench.accepted(await good(bench, state));
    },
  },
];

/** Requires the Error body of a refusal. */
function requireErrorBody(outcome: Outcome): void {
  requireRefusal(outcome);
  if (!/^application\/([a-z.+-]+\+)?json\b/i.test(outcome.contentType))
    throw new Unmet(`answered ${shortOf(outcome)}: the refusal is no JSON`);
  const message = jsonOf(outcome)?.get('error_message');
  if (codeOf(outcome) === undefined) throw new Unmet('the refusal has no error_code');
  if (typeof message !== 'string' || message === '') throw new Unmet('the refusal has no error_message');
}

const unproven = ({ context: { proof } }: Bench): Twist =>
  proof === 'signature' ? { asStranger: true } : { after: withHeader('Authorization', 'Basic bm9ib2R5Om5vdGhpbmc=') };

const refusals: readonly Scenario[] = [
  {
    id: 'answers.error-body',
    title: 'What is refused is refused with the Error body',
    sent: 'a call with a body that lacks what is required',
    expected: 'error_code and error_message, as JSON',
    line: 'errorBody',
    fix: 'Answer {"error_code": "…", "error_message": "…"}: the code reaches your counterpart, and tells them what to do.',
    run: async (bench, state) => requireErrorBody(await bench.send(await good(bench, state), { before: withBody('{}') })),
  },
  {
    id: 'answers.error-body-credentials',
    title: 'So are wrong credentials',
    sent: 'a call of a stranger',
    expected: 'error_code and error_message, as JSON',
    line: 'errorBody',
    fix: 'Let the Error body leave through the same door for credentials as for all else.',
    run: async (bench, state) => requireErrorBody(await bench.send(await good(bench, state), unproven(bench))),
  },
  {
    id: 'answers.error-body-json',
    title: 'So is broken JSON',
    sent: 'JSON that ends in the middle, properly proven',
    expected: 'error_code and error_message, as JSON',
    line: 'errorBody',
    fix: 'Replace the page that your framework answers to broken JSON with.',
    run: async (bench, state) => requireErrorBody(await bench.send(await good(bench, state), { before: withBody('{"a":') })),
  },
];

/** Scenarios with malformed bodies. */
export function bodies(role: Role): readonly Scenario[] {
  const odd = oddBodies.map(([name, title, sent, body]): Scenario => ({
    id: `bodies.${name}`,
    title,
    sent: `${sent} as body, properly proven`,
    expected: refused,
    line: 'goodJson',
    fix: 'Check that the body is a JSON object before you look into it.',
    run: refuses('lead', { before: withBody(body) }),
  }));
  return [...broken(role), ...odd, ...hard, ...refusals];
}
