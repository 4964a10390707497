import { tableOf, type Leg } from '../../../src/sandbox/demo/demo-table';

const leg: Leg = { from: 'host app', to: 'Pierhead', call: 'POST /a', status: 200, ms: 12.34, inner: false };

describe('the table of legs', () => {
  it('gives each leg a numbered row with its verdict', () => {
    const [head, rule, first, second] = tableOf([leg, { ...leg, status: undefined, inner: true, problem: 'never came' }], false);
    expect(head).toMatch(/^# {2}who calls whom +call +status +ms$/);
    expect(rule).toMatch(/^[─ ]+$/);
    expect(first).toMatch(/^1 {2}host app → Pierhead +POST \/a +200 +12\.3 {2,}✓$/);
    expect(second).toMatch(/^2 {4}host app → Pierhead +POST \/a +– +12\.3 {2,}✗ never came$/);
  });

  it('paints the verdict only where colour is wanted', () => {
    const painted = tableOf([leg], true).join('\n');
    expect(painted).toContain('\u001b[32m✓');
    expect(tableOf([leg], false).join('\n')).not.toContain('\u001b');
  });
});
