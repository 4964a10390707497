import { request } from './manage';
import { thisSession } from './proof';
import { Problem } from './problem';

export type Topic = 'exchanges' | 'payments' | 'deliveries' | 'audit' | 'integrations';

const retryMs = 5000;
/** Milliseconds without listeners before the stream is closed: the next screen usually listens again. */
const lingerMs = 2000;
const sessionOver = 'event: session-over\ndata: {}';
const listeners = new Map<Topic, Set<() => void>>();
let open: AbortController | undefined;

/** Calls `listener` after a change of the topic, at most once a second. Returns a function that unsubscribes. */
export function listen(topic: Topic, listener: () => void): () => void {
  const of = listeners.get(topic) ?? new Set();
  listeners.set(topic, of.add(listener));
  openOrClose();
  return () => {
    of.delete(listener);
    setTimeout(openOrClose, lingerMs);
  };
}

/** Browsers allow an origin six connections over all tabs, so a hidden tab keeps none. */
function openOrClose(): void {
  const isNeeded = !document.hidden && [...listeners.values()].some((set) => set.size > 0);
  if (isNeeded && !open) void follow((open = new AbortController()));
  if (isNeeded || !open) return;
  open.abort();
  open = undefined;
}
document.addEventListener('visibilitychange', openOrClose);

/** How a stream ended: after its maximum time, by an error, or with the session. */
type End = 'over' | 'lost' | 'signed-out';

/**
 * Reads the stream and reconnects when it ends. After a reconnect all topics count as changed, as events may have been missed. When the
 * session ends, it stops; the next session listens anew.
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
    for (const topic of listeners.keys()) notify(topic);
  }
}

const endBy = (error: unknown): End => (error instanceof Problem && error.status === 401 ? 'signed-out' : 'lost');

async function readStream(signal: AbortSignal): Promise<End> {
  const response = await request('GET', '/live', { signal, headers: { Accept: 'text/event-stream' } });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let left = '';
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) return 'over';
    const events = (left + part.value).split('\n\n');
    left = events.pop() ?? '';
    if (events.includes(sessionOver)) return await sessionAfter(signal);
    for (const event of events) dispatch(event);
  }
}

/** The listening session has ended. After a change of password another session continues. */
const sessionAfter = async (signal: AbortSignal): Promise<End> => request('GET', '/session', { signal }).then(() => 'over');

function dispatch(event: string): void {
  const data = /^data: (.*)$/m.exec(event)?.[1];
  if (data !== undefined) for (const topic of (JSON.parse(data) as { readonly topics: readonly Topic[] }).topics) notify(topic);
}

function notify(topic: Topic): void {
  for (const listener of listeners.get(topic) ?? []) listener();
}
