import { endpoints, HostileInputs, type Senders } from './hostile-inputs';
import { rawCall, type RawAnswer, type RawRequest } from './raw-call';
import { startWatched, type WatchedService } from './watched-service';

const inputs = 10_000;
const rounds = 3;
/** What an input may cost, and what no turn may cost, whatever else falls into it. */
const [maxTurnMs, maxTotalMs] = [50, 100];

let service: WatchedService;
let senders: Senders;

beforeAll(async () => {
  service = await startWatched(process.env['HOSTILE_BUILD']);
  senders = await aPair();
  // The first call of each kind loads and compiles what the later ones use.
  const made = new HostileInputs(1, senders);
  for (let sent = 0; sent < endpoints.length * 2; sent++) await rawCall(service.port, made.request());
  await service.longestTurnMs();
}, 120_000);
afterAll(() => service.stop());

async function aPair(): Promise<Senders> {
  const { port, operatorToken } = service;
  const manage = async (method: string, path: string, body: object): Promise<Record<string, string>> => {
    const response = await fetch(`http://127.0.0.1:${String(port)}/manage/v1/${path}`, {
      ...{ method, body: JSON.stringify(body) },
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${operatorToken}` },
    });
    const answer = (await response.json()) as Record<string, string>;
    if (!response.ok) throw new Error(JSON.stringify(answer));
    return answer;
  };
  const basic = (id = '', key = ''): string => `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`;
  const features = { sso: true, payments: true, events: true };
  const hostApp = await manage('POST', 'host-apps', { name: 'Harbour', features });
  const signature = { enabled: true, algorithm: 'HMAC', hmac_secret: 'hostile-inputs-0123456789-abcdefghijklmnop', api_client_id: 'cid_1' };
  const miniapp = await manage('POST', 'miniapps', { name: 'Ferry', features, signature });
  const [clientId = '', appId = ''] = [hostApp['client_id'], miniapp['app_id']];
  await manage('PUT', `integrations/${clientId}/${appId}`, { status: 'accepted', features });
  return {
    ...{ operator: operatorToken, clientId, appId },
    hostAppBasic: basic(clientId, hostApp['secret_key']),
    miniappBasic: basic(appId, miniapp['secret_key']),
  };
}

/** The problem of an answer; `undefined`: none. A refusal names the problem, in the form of its interface. */
function faultOf({ target }: RawRequest, { status, type, body }: RawAnswer): string | undefined {
  if (status === 0) return 'no answer';
  if (status >= 500 && status !== 503) return `status ${String(status)}`;
  if (status < 400 || body === '' || type === 'text/html') return undefined;
  if (target.startsWith('/manage/') && type !== 'application/problem+json' && type !== 'application/json') return `a ${type} of ${status}`;
  return isObject(body) ? undefined : `no JSON with status ${String(status)}`;
}

function isObject(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** The longest turn when the request is sent again: its own cost comes again, the collection of all earlier garbage does not. */
async function turnOf(request: RawRequest): Promise<number> {
  await rawCall(service.port, request);
  return service.longestTurnMs();
}

const shown = ({ method, target }: RawRequest): string => `${method} ${target.slice(0, 100)}`;

describe('ten thousand hostile inputs', () => {
  it.each(Array.from({ length: rounds }, (_, round) => round + 1))(
    'take no turn of 50 ms of processor time, and all are answered: round %i',
    async (round) => {
      const made = new HostileInputs(round * 1_000_003, senders);
      const [faults, slow, counts] = [new Set<string>(), [] as string[], new Map<number, number>()];
      let longest = 0;
      // One after another, so that a turn tells of one.
      for (let sent = 0; sent < inputs; sent++) {
        const request = made.request();
        const answer = await rawCall(service.port, request);
        const turn = await service.longestTurnMs();
        counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
        const fault = faultOf(request, answer);
        if (fault !== undefined) faults.add(`${shown(request)}: ${fault}`);
        if (turn > maxTurnMs && (turn > maxTotalMs || (await turnOf(request)) > maxTurnMs))
          slow.push(`${turn.toFixed(0)} ms: ${shown(request)}, a body of ${String(request.body.length)}`);
        longest = Math.max(longest, turn);
      }
      console.info(`round ${String(round)}: longest turn ${longest.toFixed(1)} ms; answers ${JSON.stringify(Object.fromEntries(counts))}`);
      expect({ slow, faults: [...faults] }).toEqual({ slow: [], faults: [] });
    },
    300_000,
  );
});
