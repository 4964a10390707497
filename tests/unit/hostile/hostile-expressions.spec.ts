import { defaultSignatureSettings } from '../../../src/domain/credentials/signing/signature-settings';
import { prepareSigning } from '../../../src/domain/credentials/signing/signing-string';
import { shapeOf } from '../../../src/domain/evidence/redact';
import { expressionsIn } from './expressions';
import { growsFaster } from './growth';
import { textsFor } from './hostile-texts';

const { written, computedIn } = expressionsIn('src', 'migrations');

/** Reads a text as the code does: all that an expression finds where it looks for all. */
const reading = (expression: RegExp) => (text: string) => {
  expression.lastIndex = 0;
  if (expression.global) text.replace(expression, '');
  else expression.test(text);
};

const { nonceForm } = prepareSigning(defaultSignatureSettings);

/** Expressions that the code computes, by their file. */
const computed: Readonly<Record<string, (text: string) => void>> = {
  'src/domain/credentials/signing/signing-string.ts': reading(nonceForm),
  'src/domain/evidence/redact.ts': (text) => shapeOf(text, ['POST', '/api/v1/connect/', 'app_1']),
  'src/adapters/in/http/admission/shedding.ts': reading(/^\/api\/v1\/host-apps\/[^/]+\/miniapps\/[^/]+\/?$/),
};

describe('regular expressions on hostile texts', () => {
  it.each([
    ['(?:a+)+$', true],
    ['\\s+$', true],
    ['^[ab]*a*c$', true],
    ['^a+$', false],
    ['a', false],
  ])('are told apart by their growth: /%s/', (source, expected) => {
    const expression = new RegExp(source);
    expect(textsFor(expression).some((textOf) => growsFaster(reading(expression), textOf))).toBe(expected);
  });

  it('take time in proportion to the text, each that the code has', () => {
    expect(written.length).toBeGreaterThan(200);
    const slow = written.filter(({ expression }) => textsFor(expression).some((textOf) => growsFaster(reading(expression), textOf)));
    expect(slow.map(({ at, expression }) => `${at} ${String(expression)}`)).toEqual([]);
  });

  it('take time in proportion to the text, each that the code computes', () => {
    expect(Object.keys(computed).sort()).toEqual([...computedIn].sort());
    const slow = Object.entries(computed).filter(([, run]) => textsFor(/"a"\s/).some((textOf) => growsFaster(run, textOf)));
    expect(slow.map(([path]) => path)).toEqual([]);
  });
});
