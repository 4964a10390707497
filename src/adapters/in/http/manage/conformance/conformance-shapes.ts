import { count, list, map, members, number, object, oneOf, text, type Member, type Members, type Schema } from '../../../../dto/schema';
import { asWritten } from '../../../../dto/written-members';
import { cancelRequested, runEnded, runStarted, runState } from '../operations/operation-shapes';
import { ConformanceDto } from './conformance.dto';

const verdict = oneOf('passed', 'failed', 'not_run', 'not_applicable');
const scenarioId: Member = [text, 'Name of the scenario as `group.name`; it stays.'];

const run: Members = {
  id: [text, 'Id of the run.'],
  state: runState,
  ...asWritten(ConformanceDto, { role: oneOf('host-app', 'miniapp'), client_id: text, app_id: text, only: list(text) }),
  partner: [text, 'Id of the partner whose endpoints are driven.'],
  target: [text, "Base address of the partner's endpoints."],
  started_at: runStarted,
  'ended_at?': runEnded,
  cancel_requested: cancelRequested,
  scenarios: [count, 'Scenarios that the run has to go through.'],
  done: [count, 'Scenarios that it is through with.'],
  'stopped?': [text, 'Why the run ended before its end; absent where it did not.'],
  score: [
    members({
      passed: [count, 'Scenarios that the partner passed.'],
      failed: [count, 'Scenarios that the partner failed.'],
      not_run: [count, 'Scenarios that could not be run, such as for want of a test user.'],
      not_applicable: [count, 'Scenarios that do not apply under the settings.'],
    }),
    'Scenarios by their verdict.',
  ],
  verdicts: [map(verdict), 'Verdict of each scenario by its name.'],
  kept: [count, 'Runs of a partner that are kept; older ones are removed.'],
};

/** Schemas of conformance runs. */
export const conformanceShapes: Readonly<Record<string, Schema>> = {
  ConformanceScenario: object('One scenario of a conformance run.', {
    id: scenarioId,
    group: [text, 'Group of scenarios that it belongs to.'],
    title: [text, 'What is tried, in a few words.'],
    sent: [text, 'What the service sends to the partner.'],
    expected: [text, 'What the partner has to answer.'],
    section: [text, 'Section of the contract that requires it.'],
    quote: [text, 'Quote of the contract in that section.'],
  }),
  ConformanceRun: object('A run that drives the endpoints of one partner.', run),
  ConformanceRunWhole: object('A run with the result of each scenario.', {
    ...run,
    results: [
      list(
        members({
          id: scenarioId,
          verdict: [verdict, 'How the scenario went.'],
          came: [list(text), 'Answers of the partner, one line each, without header values, bodies and tokens.'],
          'reason?': [text, 'Why it failed or could not be run; absent where it passed.'],
          'fix?': [text, 'What the partner has to change; absent where it passed.'],
          ms: [number, 'Duration of the scenario in milliseconds.'],
        }),
      ),
      'Results of the scenarios so far, in the order run.',
    ],
  }),
};
