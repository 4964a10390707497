import { problemKinds, type ProblemKind } from '../../adapters/in/http/manage/http/problem';
import type { DocumentParts } from '../assemble';
import { problemAdvice } from '../errors/problem-advice';
import { list, object, ref, text, whole, type Member, type Schema } from '../../adapters/dto/schema';
import { etag, retryAfter } from './manage-members';

const problem = object('Why a call was refused (RFC 9457).', {
  type: [text, '`urn:pierhead:problem:` and the kind of problem, for programs; it stays.'],
  title: [text, 'What the kind means, in one sentence for people.'],
  status: [whole, 'HTTP status of the answer.'],
  'detail?': [text, 'What is known of this very refusal, for people; absent: the title says all.'],
  request_id: [text, 'Value of `X-Request-Id`, by which the operator finds the call in the log.'],
  'errors?': [list(ref('FieldProblem')), 'Every member or parameter that breaks a rule, at most 100.'],
});
const fieldProblem = object('A member or parameter that breaks a rule.', {
  path: [text, 'Path of the member in the body or name of the parameter, such as `signature.algorithm`.'],
  rule: [text, 'Rule that it breaks, in a short phrase.'],
  'cause?': [text, 'Name of the reason for programs, where a rule can be broken for several.'],
});

/** Named schemas of refusals. */
export const problemShapes: Readonly<Record<string, Schema>> = { Problem: problem, FieldProblem: fieldProblem };

/** Describes a refusal of the manage API. */
export const refusal: DocumentParts['refusal'] = (status, kinds) => ({
  description: kinds.map((kind) => `\`${kind}\`: ${problemKinds[kind as ProblemKind][1]}.`).join('\n\n'),
  contentType: 'application/problem+json',
  schema: {
    $ref: '#/components/schemas/Problem',
    properties: {
      type: {
        ...text,
        enum: kinds.map((kind) => `urn:pierhead:problem:${kind}`),
        description: 'One of the kinds of problem at this status.',
      },
      status: { const: status, description: 'HTTP status of the answer.' },
    },
  },
  ...((status === 429 || status === 503) && { headers: retryAfter }),
  ...(status === 412 && { headers: { ETag: etag['ETag!'] as Member } }),
});

/** All problem kinds with their advice. */
export const problemKindsTable = (): object =>
  Object.fromEntries(
    Object.entries(problemKinds).map(([kind, [status, title]]) => [kind, { status, title, ...problemAdvice[kind as ProblemKind] }]),
  );
