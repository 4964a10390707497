import type { Bench, Twist } from '../bench';
import { withBody, withHeader, withMethod, withUrl, type Change } from '../changes';
import { requireHarmless, requireRefusal, shortOf } from '../outcome-checks';
import type { Draft, Role } from '../ports';
import type { RunState } from '../run-state';
import type { Scenario } from '../scenario';
import { Unmet } from '../verdict';
import { kindOf, platformCalls } from './calls';
import { refuses, survives, takes } from './runs';

const refused = '4xx or an error_code';
/** Changes the case of header names; nothing that is signed changes. */
const renamed =
  (change: (name: string) => string): Change =>
  (draft) => ({ ...draft, headers: Object.fromEntries(Object.entries(draft.headers).map(([name, value]) => [change(name), value])) });

/** Methods that no call uses must be refused without any effect. */
const methods = (role: Role): Scenario[] => [
  ...platformCalls[role].map(({ kind, slug, name }): Scenario => ({
    id: `protocol.get-${slug}`,
    title: `${name}: GET is refused`,
    sent: 'a GET without a body, properly proven',
    expected: '4xx (405 says it best)',
    line: 'onlyPost',
    fix: 'Route POST alone here and answer 405 to all else.',
    run: refuses(kind, { before: bodiless('GET') }),
  })),
  ...['PUT', 'DELETE'].map((method): Scenario => ({
    id: `protocol.${method.toLowerCase()}`,
    title: `${method} is refused`,
    sent: `the good call as ${method}, properly proven`,
    expected: '4xx (405 says it best)',
    line: 'onlyPost',
    fix: 'Route POST alone here and answer 405 to all else.',
    run: refuses('lead', { before: withMethod(method) }),
  })),
  ...['HEAD', 'OPTIONS'].map((method): Scenario => ({
    id: `protocol.${method.toLowerCase()}`,
    title: `${method} does no harm`,
    sent: `${method} without a body`,
    expected: 'any answer but a fault or a redirect',
    line: 'onlyPost',
    fix: `Answer ${method} with 200, 204, 404 or 405.`,
    run: survives('lead', { before: bodiless(method) }),
  })),
];

const bodiless =
  (method: string): Change =>
  (draft) =>
    withBody(undefined)(withMethod(method)(draft));

const headers: readonly Scenario[] = [
  {
    id: 'protocol.content-type',
    title: 'A body that is not declared as JSON is refused',
    sent: 'the good body as text/plain',
    expected: `${refused} (415 says it best)`,
    line: 'jsonOnly',
    fix: 'Look at the Content-Type before you read the body, and answer 415.',
    run: refuses('lead', { before: withHeader('Content-Type', 'text/plain') }),
  },
  {
    id: 'protocol.charset',
    title: 'A Content-Type with a charset is taken',
    sent: 'Content-Type: application/json; charset=utf-8',
    expected: '2xx',
    line: 'jsonOnly',
    fix: 'Compare the media type alone, without its parameters.',
    run: takes('lead', { before: withHeader('Content-Type', 'application/json; charset=utf-8') }),
  },
  {
    id: 'protocol.lower-case',
    title: 'Header names in small letters are taken',
    sent: 'the good call, every header name in small letters',
    expected: '2xx',
    line: 'headerNames',
    fix: 'Look headers up without regard to case: proxies rewrite it, HTTP/2 always does.',
    run: takes('lead', { after: renamed((name) => name.toLowerCase()) }),
  },
  {
    id: 'protocol.upper-case',
    title: 'Header names in capitals are taken',
    sent: 'the good call, every header name in capitals',
    expected: '2xx',
    line: 'headerNames',
    fix: 'Look headers up without regard to case.',
    run: takes('lead', { after: renamed((name) => name.toUpperCase()) }),
  },
  {
    id: 'protocol.request-id',
    title: 'A request id of the greatest length is taken',
    sent: 'X-Request-Id of 128 characters, and a traceparent',
    expected: '2xx',
    line: 'requestId',
    fix: 'Log the id; do not parse it, and give it room for 128 characters.',
    run: takes('lead', {
      before: (draft) =>
        withHeader(
          'traceparent',
          '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        )(withHeader('X-Request-Id', 'r'.repeat(128))(draft)),
    }),
  },
];

async function inRow(bench: Bench, state: RunState, twists: readonly Twist[]) {
  const kind = kindOf(bench.context, 'lead');
  const call = await Promise.all(twists.map(() => state.good(kind, bench)));
  const drafts: Draft[] = [];
  for (const [i, one] of call.entries()) drafts.push(await bench.prepare(one, twists[i]));
  const outcomes = await bench.sendInRow(call[0]!, drafts);
  return { outcomes, taken: (i: number) => bench.requireTaken(call[i]!, outcomes[i]!) };
}

const connections: readonly Scenario[] = [
  {
    id: 'protocol.slash',
    title: 'A slash at the end of the path redirects nobody',
    sent: 'the good call to the URL with a slash behind it',
    expected: 'any answer but a redirect or a fault',
    line: 'noRedirect',
    fix: 'Serve the path with and without the final slash, or answer 404; switch off the framework’s redirect.',
    run: survives('lead', { before: withUrl((url) => `${url}/`) }),
  },
  {
    id: 'protocol.slow',
    title: 'A body that comes in pieces is taken',
    sent: 'the good call, its body in five pieces with pauses',
    expected: '2xx',
    line: 'deadline',
    fix: 'Read the body to its Content-Length; a packet is not a request.',
    run: takes('lead', { pieces: 5 }),
  },
  {
    id: 'protocol.keep-alive',
    title: 'Calls one after the other on one connection',
    sent: 'three good calls over a connection that is kept',
    expected: '2xx, three times',
    line: 'deadline',
    fix: 'State a correct Content-Length; where you close the connection, say Connection: close.',
    run: async (bench, state) => {
      const { taken } = await inRow(bench, state, [{}, {}, {}]);
      for (const i of [0, 1, 2]) await taken(i);
    },
  },
  {
    id: 'protocol.after-refusal',
    title: 'A good call behind a refused one on one connection',
    sent: 'a call with broken JSON, then a good one, over a connection that is kept',
    expected: `${refused}, then 2xx`,
    line: 'goodJson',
    fix: 'Read or drop the whole body of a call that you refuse before the next one is read.',
    run: async (bench, state) => {
      const { outcomes, taken } = await inRow(bench, state, [{ before: withBody('{"broken":') }, {}]);
      requireRefusal(outcomes[0]!);
      await taken(1);
    },
  },
  {
    id: 'protocol.burst',
    title: 'Ten calls at once are all answered',
    sent: 'ten good calls at once',
    expected: '2xx, ten times, within the deadline',
    line: 'deadline',
    fix: 'Do not serve one call at a time; move slow work out of the request.',
    run: async (bench, state) => {
      const call = [];
      for (let i = 0; i < 10; i++) call.push(await state.good(kindOf(bench.context, 'lead'), bench));
      await Promise.all(call.map((one) => bench.accepted(one)));
    },
  },
  {
    id: 'protocol.query',
    title: 'A query that you do not know does no harm',
    sent: 'the good call with ?conformance=1 behind the URL',
    expected: 'any answer but a redirect or a fault',
    line: 'noRedirect',
    fix: 'Ignore query parameters that you do not know.',
    run: async (bench, state) => {
      const outcome = await bench.send(await state.good(kindOf(bench.context, 'lead'), bench), {
        before: withUrl((url) => `${url}${url.includes('?') ? '&' : '?'}conformance=1`),
      });
      requireHarmless(outcome);
      if (outcome.status === 404) throw new Unmet(`answered ${shortOf(outcome)}: the path is there without the query`);
    },
  },
];

/** Scenarios for HTTP itself. */
export const protocol = (role: Role): readonly Scenario[] => [...methods(role), ...headers, ...connections];
