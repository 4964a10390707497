import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { exposition } from '../../src/adapters/out/telemetry/exposition';
import { metricCatalogue } from '../../src/adapters/out/telemetry/metric-catalogue';
import { startTestService, type TestService } from '../support/service/service';

const folder = join(__dirname, '../../docs/deploy');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
/** What promtool says; it fails where something is wrong. */
const promtool = (args: readonly string[], input?: string): string =>
  execFileSync('promtool', args, { cwd: folder, encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'pipe'] });

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}
const rules = (parse(read('alert-rules.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}
const panels = (JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] }).panels;
/** The expressions as Grafana would send them. */
const shown = panels.flatMap(({ targets = [] }) =>
  targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*')),
);

/** Those that are named, histograms by their own name. `up` is Prometheus' own. */
const namedIn = (expressions: readonly string[]): string[] => {
  const words = expressions.flatMap((expr) => expr.match(/\b(?:pierhead|process|nodejs)_[a-z0-9_]+/g) ?? []);
  return [...new Set(words.map((word) => (word in metricCatalogue ? word : word.replace(/_(?:bucket|sum|count)$/, ''))))].sort();
};

describe('the alert rules', () => {
  it('are sound', () => {
    expect(promtool(['check', 'rules', 'alert-rules.yaml'])).toContain(`SUCCESS: ${String(rules.length)} rules found`);
  });

  it('each fire when they should, and not before', () => {
    expect(promtool(['test', 'rules', 'alert-rules.test.yaml'])).toContain('SUCCESS');
    const tests = (parse(read('alert-rules.test.yaml')) as { tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[] })
      .tests;
    const expected = tests.flatMap((test) => test.alert_rule_test);
    const firing = expected.filter(({ exp_alerts: alerts }) => alerts.length > 0).map(({ alertname }) => alertname);
    const quiet = expected.filter(({ exp_alerts: alerts }) => alerts.length === 0).map(({ alertname }) => alertname);
    const names = rules.map(({ alert }) => alert).sort();
    const once = (all: readonly string[]): string[] => [...new Set(all)].sort();
    expect([once(firing), once(quiet)]).toEqual([names, names]);
  });

  it('name their urgency, the problem and the action', () => {
    for (const { labels, annotations } of rules) {
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(Object.keys(annotations).sort()).toEqual(['action', 'summary']);
    }
  });

  it('name exported metrics', () => {
    const named = namedIn(rules.map(({ expr }) => expr));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !(name in metricCatalogue))).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('asks what Prometheus understands', () => {
    const checked = mkdtempSync(join(tmpdir(), 'pierhead-dashboard-'));
    const file = join(checked, 'shown.yaml');
    const asRules = shown.map((expr, i) => ({ record: `shown:${String(i)}`, expr }));
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'shown', rules: asRules }] }));
    expect(promtool(['check', 'rules', file])).toContain(`SUCCESS: ${String(shown.length)} rules found`);
    rmSync(checked, { recursive: true });
  });

  it('names exported metrics only, and shows all that are useful', () => {
    const unseen = [
      'process_start_time_seconds',
      'nodejs_heap_size_total_bytes',
      'nodejs_external_memory_bytes',
      'nodejs_eventloop_lag_p50_seconds',
    ];
    expect([...namedIn(shown), ...unseen].sort()).toEqual(Object.keys(metricCatalogue).sort());
  });

  it('has a title and something to show in every panel', () => {
    for (const { title, type, targets = [] } of panels) {
      expect(title).not.toBe('');
      expect(targets.length > 0).toBe(type !== 'row');
    }
  });
});

describe('a scrape', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  it('is in order by what Prometheus checks', async () => {
    await service.call('GET', '/health/live');
    expect(promtool(['check', 'metrics'], exposition(await service.composed.scrape({ shared: true })))).toBe('');
  });
});
