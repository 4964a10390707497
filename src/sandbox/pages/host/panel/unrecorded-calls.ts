import type { PlaygroundLeg } from '../../../playground/playground-leg';
import type { NoteLeg } from '../legs/page-legs';

/** Queries that leave no record in the service; only the browser sees them. */
const unrecorded = /\/(?:settings|get_consent)\/$/;

/** Notes the page's unrecorded calls as they end. The returned function stops that. */
export function noteUnrecordedCalls(service: string, note: NoteLeg): () => void {
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByType('resource') as PerformanceResourceTiming[]) {
      const { origin, pathname } = new URL(entry.name);
      if (origin === service && unrecorded.test(pathname)) note(legOf(entry, pathname));
    }
  });
  observer.observe({ type: 'resource' });
  return () => observer.disconnect();
}

function legOf({ startTime, duration, responseStatus: status, name }: PerformanceResourceTiming, pathname: string): PlaygroundLeg {
  return {
    id: `browser.${String(startTime)}`,
    at: performance.timeOrigin + startTime,
    from: 'host page',
    to: 'Pierhead',
    call: `GET ${pathname}`,
    ms: duration,
    attempt: 1,
    ...(status > 0 && { status }),
    ...(status >= 400 && { code: String(status), verdict: 'Pierhead refused; the network panel of the browser has its answer.' }),
    details: { URL: name },
  };
}
