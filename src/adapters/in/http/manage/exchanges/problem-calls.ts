import { list, object, ref } from '../../../../dto/schema';
import { figure, range } from '../figures/figure-calls';
import type { Calls } from '../http/call';
import { whole } from '../http/query';
import { MuteProblemDto, ProblemKeyDto } from './problem.dto';

export const usualDaysAhead = 14;

/** Failures by their cause, and what will end soon. */
export const problemCalls = {
  list: {
    at: 'GET /problems',
    ...{ id: 'listProblems', summary: 'Read failures grouped by their cause, and who has to act', ...figure('Trouble') },
    more: 'A problem is one code, party and step at one integration. Muted ones come last.',
    gives: object('The problems of the range.', {
      ...range,
      data: [list(ref('Trouble')), 'Open problems first, then by the number of calls; at most 50.'],
    }),
  },
  mute: {
    at: 'POST /problems/mute',
    ...{ id: 'muteProblem', summary: 'Be told no more of a problem', who: 'operator', body: MuteProblemDto },
    more: 'It stays in the list as muted, and counts no more as open.',
  },
  unmute: {
    at: 'POST /problems/unmute',
    ...{ id: 'unmuteProblem', summary: 'Be told of a problem again', who: 'operator', body: ProblemKeyDto, kinds: ['not-found'] },
    more: '404 where the problem is not muted.',
  },
  listEnding: {
    at: 'GET /ending-credentials',
    ...{ id: 'listEndingCredentials', summary: 'List credentials that are not accepted for long any more', who: 'everyone' },
    more: 'Values that are still accepted and will not be within `days`.',
    query: { days: whole(1, 366, 'How many days to look ahead.', usualDaysAhead) },
    gives: object('Values that end soon.', {
      data: [list(ref('EndingCredential')), 'The values, those that end first before the others.'],
    }),
  },
} satisfies Calls;
