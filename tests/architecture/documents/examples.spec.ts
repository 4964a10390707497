import { DescribedDocument, type DescribedOperation, type DocumentName } from '../../support/described/described-document';

interface Shown {
  readonly schema: Parameters<DescribedDocument['answerProblem']>[0];
  readonly example?: unknown;
}

const isJson = ([type]: readonly [string, unknown]): boolean => type.endsWith('json') || type.endsWith('urlencoded');
const bodiesOf = (content: Readonly<Record<string, Shown>> = {}): readonly Shown[] =>
  Object.entries(content)
    .filter(isJson)
    .map(([, shown]) => shown);

/** A request and its good answer, as the operation shows them. */
function shownBy({ requestBody, responses }: DescribedOperation): { sent: readonly Shown[]; answered: readonly Shown[] } {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2') || status === 'default');
  return { sent: bodiesOf(requestBody?.content), answered: good.flatMap(([, { content }]) => bodiesOf(content)) };
}

describe.each<DocumentName>(['api', 'manage', 'partners'])('the examples of the document %s', (name) => {
  const document = new DescribedDocument(name);
  const shown = document.operations.map((operation) => ({ id: operation.operationId, ...shownBy(operation) }));

  it('are there for each body', () => {
    const without = shown.filter(({ sent, answered }) => [...sent, ...answered].some((one) => !('example' in one)));
    expect(without.map(({ id }) => id)).toEqual([]);
    expect(shown.flatMap(({ sent, answered }) => [...sent, ...answered]).length).toBeGreaterThan(15);
  });

  it('are as their schemas say', () => {
    // Of a partner's answer other members are ignored.
    const problemOf: DescribedDocument['answerProblem'] = (schema, example) =>
      name === 'partners' ? document.requestProblem(schema, example) : document.answerProblem(schema, example);
    const problems = shown.flatMap(({ id, sent, answered }) => [
      ...sent.map(({ schema, example }) => [`${id}, asked`, document.requestProblem(schema, example)]),
      ...answered.map(({ schema, example }) => [`${id}, answered`, problemOf(schema, example)]),
    ]);
    expect(problems.filter(([, problem]) => problem !== undefined)).toEqual([]);
  });
});

it('are reported if they do not match their schemas', () => {
  const document = new DescribedDocument('manage');
  const audit = document.find(({ operationId }) => operationId === 'verifyAudit')?.operation;
  const [{ schema, example } = { schema: {} }] = audit ? shownBy(audit).answered : [];
  expect([schema.$ref, document.answerProblem(schema, example)]).toEqual(['#/components/schemas/AuditVerdict', undefined]);
  expect(document.answerProblem(schema, { ...(example as object), planted: 1 })).toContain('planted');
});
