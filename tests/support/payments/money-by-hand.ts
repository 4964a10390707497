import type { SummaryLine } from '../../../src/domain/analytics/ports';
import { storedPairs } from '../postgres/stored-pairs';

/** A report or a payment as a test knows it. */
export interface Kept {
  readonly at: number;
  readonly pair: number;
  readonly cents: number;
  readonly currency: string;
  readonly status: string;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
export const money = (all: number): string => (all / 100).toFixed(2);
export const isWithin = ({ at }: Kept, from = -Infinity, to = Infinity): boolean => at >= from && at < to;
export const isOf = ({ pair: of }: Kept, { clientId, appId }: { clientId?: string; appId?: string }): boolean =>
  (clientId ?? storedPairs[of]?.clientId) === storedPairs[of]?.clientId && (appId ?? storedPairs[of]?.appId) === storedPairs[of]?.appId;

/** The lines as they are when reports are added up one by one, the last one first. */
export function lines(reports: readonly Kept[]): string[] {
  const sums = new Map<string, { count: number; cents: number }>();
  for (const one of reports) {
    const { clientId, appId } = storedPairs[one.pair]!;
    const key = [dayOf(one.at), clientId, appId, one.currency, one.status].join(' ');
    const { count, cents: all } = sums.get(key) ?? { count: 0, cents: 0 };
    sums.set(key, { count: count + 1, cents: all + one.cents });
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([key, { count, cents: all }]) => `${key} ${String(count)} ${money(all)} ${money(count * 110)} 0.00 0.00`);
}

export const lineText = ({ day, clientId, appId, currency: of, status, count, amount, shipping, tax, discount }: SummaryLine): string =>
  [day, clientId, appId, of, status, count, amount, shipping, tax, discount].join(' ');

/** The days of a pair when reports and payments are added up one by one. */
export function days(reports: readonly Kept[], payments: readonly Kept[]): object[] {
  const keyOf = (one: Kept): string => `${dayOf(one.at)} ${one.currency.toUpperCase()}`;
  const keys = [...new Set([...reports, ...payments].map(keyOf))].sort();
  const sumOf = (some: readonly Kept[], key: string): { count: number; cents: number } => {
    const own = some.filter((one) => keyOf(one) === key);
    return { count: own.length, cents: own.reduce((all, one) => all + one.cents, 0) };
  };
  return keys.map((key) => {
    const [reported, relayed] = [sumOf(reports, key), sumOf(payments, key)];
    const [day, of] = key.split(' ');
    return {
      ...{ day, currency: of, difference: money(reported.cents - relayed.cents) },
      reported: { count: reported.count, amount: money(reported.cents) },
      relayed: { count: relayed.count, amount: money(relayed.cents) },
    };
  });
}
