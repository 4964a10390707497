import type { JsonObject } from '../../domain/shared/json';
import type { Bench } from '../bench';
import type { Views } from '../facts';
import { jsonOf, requireAnswer } from '../judging';
import { DoesNotApply, Unmet } from '../verdict';

/** What a view of the partner shows. */
export interface Seen {
  readonly text: string;
  readonly json: JsonObject | undefined;
}

/** Looks at what the partner has kept. Throws DoesNotApply where its settings name no such view. */
export async function seen(bench: Bench, view: keyof Views, values: Readonly<Record<string, string>> = {}): Promise<Seen> {
  const template = bench.facts.test.views[view];
  if (template === undefined) throw new DoesNotApply(`the settings have no test.${view}_view_url`);
  const url = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const outcome = await bench.put({ method: 'GET', url, headers: { Accept: 'application/json' } }, bench.facts.deadlineMs('event'));
  requireAnswer(outcome);
  if (outcome.status !== 200) throw new Unmet(`its ${view} view answered ${String(outcome.status)}`);
  return { text: new TextDecoder().decode(outcome.body), json: jsonOf(outcome) };
}
