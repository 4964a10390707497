import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AnswersInTime, isOverdue } from '../../../src/adapters/in/http/deadlines/answers-in-time';
import type { DomainError } from '../../../src/domain/shared/errors';

let now: number;
let inTime: AnswersInTime;
let answers: DomainError[];

beforeEach(() => {
  jest.useFakeTimers();
  now = 0;
  answers = [];
  inTime = new AnswersInTime(() => now);
});
afterEach(() => {
  jest.useRealTimers();
});

/** Time goes on in steps that are shorter than a beat. */
const pass = (ms: number): void => {
  for (let passed = 0; passed < ms; passed += 50) {
    now += 50;
    jest.advanceTimersByTime(50);
  }
};
const answerOf = (headersSent = false): ServerResponse => Object.assign(new EventEmitter(), { headersSent }) as unknown as ServerResponse;
const watch = (res = answerOf(), complete = true) => inTime.watch({ complete } as IncomingMessage, res, (error) => answers.push(error));

it('refuses a call once, after just under six seconds', () => {
  const res = answerOf();
  const { time } = watch(res);
  pass(5500);
  expect([answers.length, time.isOverdue, isOverdue(res)]).toEqual([0, false, false]);
  pass(450);
  expect([answers.length, time.isOverdue, isOverdue(res)]).toEqual([1, true, true]);
  expect(answers[0]).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { cause: 'database-busy', retryAfterS: 1 } });
  pass(20_000);
  expect(answers).toHaveLength(1);
});

it('lets partners take their time', () => {
  const { time } = watch();
  pass(3000);
  time.toPartner('exchange');
  pass(30_000);
  time.fromPartner();
  pass(2500);
  expect(answers).toEqual([]);
  pass(500);
  expect(answers).toHaveLength(1);
});

it('answers that the outcome is unknown if a payment was already requested', () => {
  const { time } = watch();
  time.toPartner('create');
  time.fromPartner();
  pass(6000);
  expect(answers[0]).toMatchObject({
    code: 'UNKNOWN_ERROR',
    kind: 'fault',
    details: { outcome: 'unknown', retryable: false, step: 'create' },
  });
});

it('ignores calls that are being answered, have left, or are still sending their body', () => {
  watch(answerOf(true));
  watch().end();
  watch(answerOf(), false);
  pass(10_000);
  expect(answers).toEqual([]);
});

it('runs ready work before it times out calls after the process was suspended', () => {
  watch();
  pass(500);
  now += 20_000;
  jest.advanceTimersByTime(250);
  expect(answers).toEqual([]);
  pass(300);
  expect(answers).toHaveLength(1);
});

it('keeps no timer where nobody waits', () => {
  const { end } = watch();
  end();
  pass(300);
  expect(jest.getTimerCount()).toBe(0);
});
