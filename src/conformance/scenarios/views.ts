import type { JsonObject } from '../../domain/shared/json';
import type { Bench } from '../bench';
import type { Views } from '../context';
import { jsonOf, requireAnswer } from '../outcome-checks';
import { DoesNotApply, Unmet } from '../verdict';

/** The content of a view. */
export interface Seen {
  readonly text: string;
  readonly json: JsonObject | undefined;
}

/** Reads one of the partner's views. Throws DoesNotApply where the settings have no such view. */
export async function seen(bench: Bench, view: keyof Views, values: Readonly<Record<string, string>> = {}): Promise<Seen> {
  const template = bench.context.test.views[view];
  if (template === undefined) throw new DoesNotApply(`the settings have no test.${view}_view_url`);
  const url = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const outcome = await bench.put({ method: 'GET', url, headers: { Accept: 'application/json' } }, bench.context.deadlineMs('event'));
  requireAnswer(outcome);
  if (outcome.status !== 200) throw new Unmet(`its ${view} view answered ${String(outcome.status)}`);
  return { text: new TextDecoder().decode(outcome.body), json: jsonOf(outcome) };
}
