import { members, text, type Members } from '../../src/adapters/dto/schema';
import { descriptionProblems, descriptionsIn } from '../support/described/descriptions';
import { madeDocuments } from '../support/documents/reference-files';

const planted = (of: Members): string[] =>
  descriptionProblems({ planted: { components: { schemas: { Planted: { description: 'An object of this test.', ...members(of) } } } } });

describe('the descriptions of the APIs', () => {
  const documents = madeDocuments();

  it('exist for every member, parameter, header, answer, schema and operation', () => {
    expect(Object.values(documents).flatMap((document) => descriptionsIn(document)).length).toBeGreaterThan(2000);
    expect(descriptionProblems(documents)).toEqual([]);
  });

  it.each([
    ['none', { id: text }, /schemas\.Planted\.properties\.id is not described/],
    ['three words', { id: [text, 'Of the record.'] }, /three words or fewer/],
    ['the words of its name', { tax_title: [text, 'The title of the taxes.'] }, /repeats its name/],
    ['two meanings', { code: [text, 'The code; of tools: signing code by language.'] }, /tells two things/],
    [
      'the text of another name',
      { from: [text, 'The same text for both.'], to: [text, 'The same text for both.'] },
      /from and to share a text/,
    ],
  ] as [string, Members, RegExp][])('would be found with %s', (_what, of, problem) => {
    expect(planted(of)).toEqual([expect.stringMatching(problem)]);
  });

  it('are reported missing at a parameter, a header, an answer and an operation', () => {
    const responses = { 200: { headers: { ETag: { schema: text } } } };
    const operation = { operationId: 'planted', parameters: [{ name: 'id', in: 'query', schema: text }], responses };
    const problems = descriptionProblems({ planted: { paths: { '/planted': { get: operation } } } });
    expect(problems).toHaveLength(4);
    expect(problems.join('\n')).toMatch(/parameters\.0 is[^]*ETag is[^]*responses\.200 is|responses\.200 is/);
  });
});
