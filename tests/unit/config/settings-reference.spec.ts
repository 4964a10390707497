import { readSettings, SettingsError } from '../../../src/config/settings';
import { textOf } from '../../support/documents/documents';
import { namedSettings } from '../../support/documents/named-settings';

/** One row of the settings' reference. */
interface Row {
  readonly name: string;
  readonly values: string;
  readonly standing: Readonly<Record<'development' | 'production', string>>;
}

const page = textOf('docs/reference/settings.md');
const rows: Row[] = [...page.matchAll(/^\| `([A-Z_]+)` +\|(.*)\|$/gm)].map(([, name = '', cells = '']) => {
  const [values = '', development = '', production = ''] = cells.split(' | ').map((cell) => cell.trim());
  return { name, values, standing: { development, production: production === '〃' ? development : production } };
});

const complete = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://pierhead@db.example/pierhead',
  OPERATOR_TOKEN: 'operator-token-0123456789',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  PUBLIC_BASE_URL: 'https://pay.example',
};
const bases = { development: {}, production: complete };
const cases = rows.flatMap((row) => (['development', 'production'] as const).map((mode) => [row.name, mode, row] as const));

/** The problems of the settings of an environment; none: they can be used. */
const problemsWith = (env: Record<string, string>): readonly string[] => {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
};

describe('the reference of settings', () => {
  it('names every setting once, and no other', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual(namedSettings());
  });

  it.each(cases)('has what %s is in %s where it is not set', (name, mode, { standing }) => {
    const documentedMode = standing[mode];
    const { [name as keyof typeof complete]: _taken, ...without } = bases[mode] as typeof complete;
    if (documentedMode === 'required') {
      expect(problemsWith(without).join()).toContain(name);
      return;
    }
    expect(problemsWith(without)).toEqual([]);
    const [, value] = /^`([^`]*)`/.exec(documentedMode) ?? [];
    // A default in words is made at the start, or follows from another setting.
    if (value === undefined) {
      expect(documentedMode).toMatch(/^(?:none|made|the |as |its )/);
      return;
    }
    expect(readSettings({ ...without, [name]: value })).toEqual(readSettings(without));
  });

  const bounded = rows.flatMap(({ name, values }) => {
    const [, min, max] = /^(-?[\d,]+) to ([\d,]+)/.exec(values) ?? [];
    return min === undefined || max === undefined
      ? []
      : [[name, Number(min.replaceAll(',', '')), Number(max.replaceAll(',', ''))] as const];
  });
  it.each(bounded)('has the limits of %s: %d to %d', (name, min, max) => {
    const refused = (value: number): boolean =>
      problemsWith({ ...complete, [name]: String(value) }).some((problem) => problem.includes(name));
    expect([min - 1, min, max, max + 1].map(refused)).toEqual([true, false, false, true]);
  });

  const chosen = rows.flatMap(({ name, values }) => {
    const words = /^(`[a-z]+`(?:, `[a-z]+`)+)/.exec(values)?.[1];
    return words === undefined ? [] : [[name, words.replaceAll('`', '').split(', ')] as const];
  });
  it.each(chosen)('has the words of %s: %j', (name, words) => {
    const problems = (value: string) => problemsWith({ ...complete, [name]: value });
    expect(words.map(problems)).toEqual(words.map(() => []));
    for (const word of words) expect(problems('otherwise').join()).toContain(word);
  });

  it('tells of every setting what it takes', () => {
    expect(bounded.length + chosen.length).toBeGreaterThan(18);
    expect(rows.filter(({ values }) => values === '')).toEqual([]);
  });
});

describe('the limits and days of the reference', () => {
  it.each([
    ['RATE_LIMITS', readSettings({}).rateLimits],
    ['RETENTION', readSettings({}).retention],
  ])('are those of %s', (name, standing) => {
    const [, table = ''] = new RegExp(`^## \`${name}\`$([^]*?)(?:^## |$(?![^]))`, 'm').exec(page) ?? [];
    const documented = [...table.matchAll(/^\| `([a-z_/-]+)` +\| +(\d+) +\|/gm)].map(([, one = '', figure]) => [one, Number(figure)]);
    expect(Object.fromEntries(documented)).toEqual(standing);
  });
});
