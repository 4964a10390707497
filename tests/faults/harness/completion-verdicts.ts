import type { Operation } from './driver';

/** One webhook as it reached the miniapp; `at` by the same clock as the operations'. */
export interface ReceivedWebhook {
  /** The payment. */
  readonly key: string;
  readonly webhookId: string;
  readonly body: string;
  readonly at: number;
}

/** What became of the acknowledged completions, each sorted into exactly one of the first five. */
export interface Verdicts {
  readonly acknowledged: number;
  readonly delivered: number;
  readonly late: number;
  readonly lost: number;
  readonly duplicated: number;
  readonly altered: number;
  /** Webhooks of payments that nobody completed, or whose completion was surely not taken. */
  readonly invented: number;
  /** Of the duplicated: those with another id or other bytes on a repeat. They count as altered, too. */
  readonly unrecognisable: number;
}

export interface Evidence {
  readonly completions: readonly Operation[];
  readonly received: readonly ReceivedWebhook[];
  /** The body that the miniapp is to get, for each payment. */
  readonly expected: (key: string) => string;
  /** Milliseconds after its acknowledgement from which on a webhook is late. */
  readonly lateAfterMs: number;
}

/** Sorts acknowledged completions by the arrived webhooks. A completion without a known outcome may have been taken or not. */
export function completionVerdicts({ completions, received, expected, lateAfterMs }: Evidence): Verdicts {
  const webhooks = new Map<string, ReceivedWebhook[]>();
  for (const one of received) webhooks.set(one.key, [...(webhooks.get(one.key) ?? []), one]);
  const acknowledgedAt = new Map<string, number>();
  const possible = new Set<string>();
  for (const { key, outcome, endedAt } of completions) {
    if (outcome === 'ok' && !acknowledgedAt.has(key)) acknowledgedAt.set(key, endedAt);
    if (outcome === 'ok' || outcome === 'unknown') possible.add(key);
  }
  const counts = { delivered: 0, late: 0, lost: 0, duplicated: 0, altered: 0, unrecognisable: 0 };
  for (const [key, at] of acknowledgedAt) {
    const arrived = webhooks.get(key) ?? [];
    const verdict = verdictOf(arrived, expected(key), at + lateAfterMs);
    counts[verdict]++;
    if (arrived.length > 1 && new Set(arrived.map(({ webhookId, body }) => `${webhookId} ${body}`)).size > 1) counts.unrecognisable++;
  }
  const invented = [...webhooks.keys()].filter((key) => !possible.has(key)).length;
  return { acknowledged: acknowledgedAt.size, ...counts, invented };
}

function verdictOf(
  arrived: readonly ReceivedWebhook[],
  body: string,
  lateAt: number,
): 'delivered' | 'late' | 'lost' | 'duplicated' | 'altered' {
  const [first] = arrived;
  if (!first) return 'lost';
  if (arrived.some((one) => one.body !== body)) return 'altered';
  if (arrived.length > 1) return 'duplicated';
  return first.at > lateAt ? 'late' : 'delivered';
}
