import { defaultSignatureSettings } from '../../../src/domain/credentials/signing/signature-settings';
import { contractLines } from '../../../src/conformance/contract-lines';
import { scenariosOf } from '../../../src/conformance/scenarios/all-scenarios';
import { brokenLinks, documents, fencesOf, fencesOfKind, locationOf, textOf, type Fence } from '../../support/documents/documents';
import {
  bracketProblems,
  commandProblems,
  jsonProblems,
  npmProblems,
  placed,
  scriptProblems,
  sequenceProblems,
} from '../../support/documents/fence-checks';
import { namedSettings } from '../../support/documents/named-settings';
import { filesIn } from '../source-files';

/** Every kind of sample that a document may have, and its check. */
const kinds: Readonly<Record<string, string>> = {
  sh: 'run against a development service (tests/e2e/documents/docs-samples.spec.ts), as the answers of its calls say',
  'json output': 'what the calls before it answered last (there)',
  'text output': 'what the block before it printed (there)',
  'text printed': 'what a start prints (there)',
  'sh env': 'run, and a service started with the file that it makes (tests/e2e/documents/docs-production.spec.ts)',
  sql: 'run on a Postgres (there)',
  'sql example': 'run on a Postgres, each on what those before it made (there)',
  'sh postgres': 'run with its tools, and the service on what they made (there)',
  'sh npm': 'looked up among the scripts',
  'sh cli': 'read by the command line, which does nothing then',
  'json conform': 'read as strictly as a body',
  'text conform': 'looked up among the scenarios',
  'text signed': 'compared with the default template',
  mermaid: 'read: its actors, and the calls that it names',
  'js file': 'a file of docs/samples (tests/e2e/documents/samples-on-disk.spec.ts), which tests/system/sample-partners.spec.ts runs',
  'php file': 'likewise',
  'python file': 'likewise',
  js: 'compiled',
  tsx: 'compiled',
  kotlin: 'read: its brackets',
  swift: 'read: its brackets',
  dart: 'read: its brackets',
};

const problemsIn = (check: (fence: Fence) => readonly string[], ...of: readonly string[]): string[] =>
  fencesOfKind(...of).flatMap((fence) => placed(fence, check(fence)));

describe('the samples of the documents', () => {
  const all = documents().flatMap(fencesOf);

  it('are of a kind that is checked', () => {
    expect(all.length).toBeGreaterThan(60);
    expect(all.filter(({ kind }) => !(kind in kinds)).map((fence) => `${locationOf(fence)} ${fence.kind || 'no language'}`)).toEqual([]);
    const used = new Set(all.map(({ kind }) => kind));
    expect(Object.keys(kinds).filter((kind) => !used.has(kind))).toEqual([]);
  });

  it('name scripts that there are', () => {
    expect(problemsIn((fence) => npmProblems(fence, namedSettings()), 'sh npm')).toEqual([]);
  });

  it('are commands that the command line takes', async () => {
    const problems = await Promise.all(fencesOfKind('sh cli').map(async (fence) => placed(fence, await commandProblems(fence))));
    expect(problems.flat()).toEqual([]);
  });

  it('are JSON, and programs', () => {
    expect(problemsIn(jsonProblems, 'json conform', 'json output')).toEqual([]);
    expect(problemsIn(scriptProblems, 'js', 'tsx')).toEqual([]);
    expect(problemsIn(bracketProblems, 'kotlin', 'swift', 'dart')).toEqual([]);
  });

  it('are pictures of calls that the service has', () => {
    expect(problemsIn(sequenceProblems, 'mermaid')).toEqual([]);
  });

  it('say which text is signed by default', () => {
    const words = { request_method: 'METHOD', url: 'URL', client_id: 'API_CLIENT_ID', timestamp: 'TIMESTAMP', payload: 'BODY' };
    const template = defaultSignatureSettings.payloadTemplate.replace(/\{(\w+)\}/g, (_all, name: keyof typeof words) => words[name]);
    expect(new Set(fencesOfKind('text signed').map(({ text }) => text))).toEqual(new Set([`${template}\n`]));
  });

  it('show reports of scenarios as they are', () => {
    for (const { text } of fencesOfKind('text conform')) {
      const [, id = ''] = /^✗ (\S+)/.exec(text) ?? [];
      const scenario = (['miniapp', 'host-app'] as const).flatMap((role) => scenariosOf(role)).find((one) => one.id === id)!;
      for (const sentence of [scenario.title, scenario.sent, scenario.expected, scenario.fix, ...contractLines[scenario.line]])
        expect(text).toContain(sentence);
    }
  });

  it.each<[string, string, (fence: Fence) => readonly string[] | Promise<readonly string[]>]>([
    ['a script that nobody has', 'npm run tset\n', (fence) => npmProblems(fence, [])],
    ['a setting that nobody reads', 'PROT=1 npm start\n', (fence) => npmProblems(fence, [])],
    ['an option that the command does not take', 'npx pierhead listen --forword http://a\n', commandProblems],
    ['JSON with a comma too many', '{"a":1,}', jsonProblems],
    ['a program that breaks off', 'const a = {', scriptProblems],
    ['a bracket too few', 'pay { done(1 }', bracketProblems],
    ['a call that nobody serves', 'sequenceDiagram\n    participant A as x\n    A->>A: POST /api/v1/conect/\n', sequenceProblems],
    ['an actor whom nobody introduced', 'sequenceDiagram\n    participant A as x\n    A->>B: hello\n', sequenceProblems],
  ])('would be found with %s', async (_what, text, check) => {
    expect(await check({ document: 'a.md', line: 1, kind: 'js', text })).toHaveLength(1);
  });
});

describe('the run-book', () => {
  it('names lines that the log has', () => {
    const texts = new Set(
      filesIn('src').flatMap(({ text }) => [...text.matchAll(/log\.(?:warn|error|info)\(\s*'([a-z.-]+)'/g)].map(([, line]) => line)),
    );
    const table = textOf('docs/guides/run-book.md').split('## Lines of the log')[1]?.split('\n## ')[0] ?? '';
    const named = [...table.matchAll(/^\| (`[^|]+)\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([a-z.-]+)`/g)].map(([, line]) => line),
    );
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((line) => !texts.has(line))).toEqual([]);
  });
});

describe('the links of the documents', () => {
  it('lead somewhere', () => {
    const broken = documents().flatMap((document) => brokenLinks(document).map((link) => `${document}: ${link}`));
    expect(broken).toEqual([]);
  });

  it('reach every page from the index', () => {
    const linked = (document: string): string[] => [...textOf(document).matchAll(/\]\(([^)#\s]+\.md)/g)].map(([, path = '']) => path);
    // The decisions have an index of their own: decisions.spec.ts.
    const pages = documents().filter((document) => document !== 'docs/README.md' && !/^docs\/adr\/\d/.test(document));
    const listed = new Set(linked('docs/README.md').map((path) => (path.startsWith('../') ? path.slice(3) : `docs/${path}`)));
    expect(pages.filter((document) => !listed.has(document))).toEqual([]);
  });
});
