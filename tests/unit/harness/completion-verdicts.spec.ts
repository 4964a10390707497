import { completionVerdicts, type ReceivedWebhook } from '../../faults/harness/completion-verdicts';
import type { Operation, Outcome } from '../../faults/harness/driver';

const completed = (key: string, outcome: Outcome): Operation => {
  return { name: 'complete', key, outcome, startedAt: 0, endedAt: 100, status: 0, text: '' };
};
const webhook = (key: string, more: Partial<ReceivedWebhook> = {}): ReceivedWebhook => ({
  key,
  webhookId: `id of ${key}`,
  body: `body of ${key}`,
  at: 150,
  ...more,
});
const verdicts = (completions: Operation[], arrived: ReceivedWebhook[]) =>
  completionVerdicts({ completions, received: arrived, expected: (key) => `body of ${key}`, lateAfterMs: 1000 });
const none = { acknowledged: 0, delivered: 0, late: 0, lost: 0, duplicated: 0, altered: 0, invented: 0, unrecognisable: 0 };

it.each<[string, Operation[], ReceivedWebhook[], object]>([
  ['delivered', [completed('a', 'ok')], [webhook('a')], { acknowledged: 1, delivered: 1 }],
  ['late', [completed('a', 'ok')], [webhook('a', { at: 1101 })], { acknowledged: 1, late: 1 }],
  ['lost', [completed('a', 'ok'), completed('b', 'ok')], [webhook('b')], { acknowledged: 2, delivered: 1, lost: 1 }],
  ['duplicated', [completed('a', 'ok')], [webhook('a'), webhook('a', { at: 900 })], { acknowledged: 1, duplicated: 1 }],
  [
    'duplicated under another id',
    [completed('a', 'ok')],
    [webhook('a'), webhook('a', { webhookId: 'x' })],
    { acknowledged: 1, duplicated: 1, unrecognisable: 1 },
  ],
  ['altered', [completed('a', 'ok')], [webhook('a', { body: '{}' })], { acknowledged: 1, altered: 1 }],
  [
    'altered on a repeat',
    [completed('a', 'ok')],
    [webhook('a'), webhook('a', { body: '{}' })],
    { acknowledged: 1, altered: 1, unrecognisable: 1 },
  ],
  ['invented, as nobody completed it', [], [webhook('z')], { invented: 1 }],
  ['invented, as its completion was refused', [completed('a', 'refused')], [webhook('a')], { invented: 1 }],
  ['neither, where the outcome is unknown', [completed('a', 'unknown'), completed('b', 'unknown')], [webhook('a')], {}],
  [
    'one, where it was acknowledged when it was repeated',
    [completed('a', 'unknown'), completed('a', 'ok')],
    [],
    { acknowledged: 1, lost: 1 },
  ],
])('the verdict is: %s', (_verdict, completions, arrived, counts) => {
  expect(verdicts(completions, arrived)).toEqual({ ...none, ...counts });
});
