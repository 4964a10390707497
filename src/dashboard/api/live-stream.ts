import { ask } from './manage';
import { thisSession } from './proof';
import { Problem } from './problem';

export type Topic = 'exchanges' | 'payments' | 'deliveries' | 'audit' | 'integrations';

const retryMs = 5000;
/** A screen that is left is followed by the next: the stream waits for it. */
const lingerMs = 2000;
const sessionOver = 'event: session-over\ndata: {}';
const listeners = new Map<Topic, Set<() => void>>();
let open: AbortController | undefined;

/** Calls `listener` after something of the topic changed, at most once a second. Returns what to call to stop. */
export function listen(topic: Topic, listener: () => void): () => void {
  const of = listeners.get(topic) ?? new Set();
  listeners.set(topic, of.add(listener));
  openOrClose();
  return () => {
    of.delete(listener);
    setTimeout(openOrClose, lingerMs);
  };
}

/** Browsers give an origin six connections for all its pages: one that nobody looks at keeps none. */
function openOrClose(): void {
  const isNeeded = !document.hidden && [...listeners.values()].some((set) => set.size > 0);
  if (isNeeded && !open) void follow((open = new AbortController()));
  if (isNeeded || !open) return;
  open.abort();
  open = undefined;
}
document.addEventListener('visibilitychange', openOrClose);

/** How a stream ended: after its time, by a mishap, or with the session. */
type End = 'over' | 'lost' | 'signed-out';

/**
 * Reads the stream; begins anew where it ends, with a look at everything, as something may have changed in between. With the
 * session it ends for good: whoever signs in next listens anew.
 */
async function follow(controller: AbortController): Promise<void> {
  const { signal } = controller;
  const session = thisSession();
  for (;;) {
    const end = await readStream(signal).catch(endBy);
    if (signal.aborted) return;
    if (end === 'signed-out' || session.aborted) {
      open = undefined;
      setTimeout(openOrClose, lingerMs);
      return;
    }
    if (end === 'lost') await new Promise((resolve) => setTimeout(resolve, retryMs));
    for (const topic of listeners.keys()) tell(topic);
  }
}

const endBy = (error: unknown): End => (error instanceof Problem && error.status === 401 ? 'signed-out' : 'lost');

async function readStream(signal: AbortSignal): Promise<End> {
  const response = await ask('GET', '/live', { signal, headers: { Accept: 'text/event-stream' } });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let left = '';
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) return 'over';
    const events = (left + part.value).split('\n\n');
    left = events.pop() ?? '';
    if (events.includes(sessionOver)) return await sessionAfter(signal);
    for (const event of events) hear(event);
  }
}

/** The session that listened is over; where another has followed it (a changed password), that one listens on. */
const sessionAfter = async (signal: AbortSignal): Promise<End> => ask('GET', '/session', { signal }).then(() => 'over');

function hear(event: string): void {
  const data = /^data: (.*)$/m.exec(event)?.[1];
  if (data !== undefined) for (const topic of (JSON.parse(data) as { readonly topics: readonly Topic[] }).topics) tell(topic);
}

function tell(topic: Topic): void {
  for (const listener of listeners.get(topic) ?? []) listener();
}
