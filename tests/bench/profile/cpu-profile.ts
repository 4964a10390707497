/** What `node --cpu-prof` writes, as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Microseconds from each sample to the one before. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** A function as it was called from where it was called, and for how much of the time it ran. */
export interface Frame {
  readonly name: string;
  /** Whose code it is. */
  readonly part: string;
  /** Of all the time, by itself and with what it called: 0 to 1. */
  readonly own: number;
  readonly whole: number;
  readonly callees: readonly Frame[];
}

const idle = '(idle)';

const partsOfNode: readonly (readonly [RegExp, string])[] = [
  [/http/, 'Node: HTTP'],
  [/net|stream/, 'Node: sockets and streams'],
  [/crypto/, 'Node: crypto'],
  [/./, 'Node: the rest'],
];
const partsOfOurs: readonly (readonly [RegExp, string])[] = [
  [/src\/domain\//, 'Pierhead: domain'],
  [/adapters\/in\/http\//, 'Pierhead: HTTP in'],
  [/adapters\/out\/partner-http\//, 'Pierhead: calls to partners'],
  [/adapters\/out\/postgres\//, 'Pierhead: Postgres'],
  [/./, 'Pierhead: the rest'],
];
const ofNoFile: Readonly<Record<string, string>> = {
  '(garbage collector)': 'V8: collecting garbage',
  '(program)': 'V8 and libuv: outside of any function',
};

const found = (list: readonly (readonly [RegExp, string])[], url: string): string => list.find(([form]) => form.test(url))?.[1] ?? '';

/** The owner of a function's code; built-in functions belong to their caller. */
export function partOf({ functionName, url }: ProfileNode['callFrame'], caller: string): string {
  if (url === '') return ofNoFile[functionName] ?? caller;
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  if (name !== undefined) return name.startsWith('pg') ? 'pg' : name;
  return found(url.startsWith('node:') ? partsOfNode : partsOfOurs, url);
}

/** The last seconds of a profile before it had nothing more to do, as a tree; the time in which nothing ran is left out. */
export function framesOf(profile: CpuProfile, seconds: number): Frame {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const isBusy = (id: number): boolean => byId.get(id)?.callFrame.functionName !== idle;
  const last = profile.samples.findLastIndex(isBusy);
  const own = new Map<number, number>();
  let [leftUs, allUs] = [seconds * 1e6, 0];
  for (let at = last; at >= 0 && leftUs > 0; at--) {
    const [id, us] = [profile.samples[at] ?? 0, profile.timeDeltas[at] ?? 0];
    leftUs -= us;
    if (!isBusy(id)) continue;
    allUs += us;
    own.set(id, (own.get(id) ?? 0) + us);
  }
  const frameOf = (node: ProfileNode, caller: string): Frame => {
    const part = partOf(node.callFrame, caller);
    const callees = (node.children ?? []).map((id) => frameOf(byId.get(id)!, part)).filter(({ whole }) => whole > 0);
    const share = (own.get(node.id) ?? 0) / Math.max(1, allUs);
    return { name: nameOf(node), part, own: share, whole: callees.reduce((sum, { whole }) => sum + whole, share), callees };
  };
  return frameOf(profile.nodes[0]!, ofNoFile['(program)']!);
}

/** Without where the build lies. */
const nameOf = ({ callFrame: { functionName, url } }: ProfileNode): string =>
  [functionName || '(anonymous)', url.split('/').slice(-1)[0]].filter((word) => word !== '').join(' ');

/** The share of each part, the largest first. */
export function sharesOf(root: Frame): Readonly<Record<string, number>> {
  const shares = new Map<string, number>();
  const add = ({ part, own, callees }: Frame): void => {
    shares.set(part, (shares.get(part) ?? 0) + own);
    callees.forEach(add);
  };
  add(root);
  return Object.fromEntries([...shares].sort(([, a], [, b]) => b - a));
}
