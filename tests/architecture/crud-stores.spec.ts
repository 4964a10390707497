import ts from 'typescript';
import { filesIn, type SourceFile } from './source-files';

/** Folders of CRUD stores below src/adapters/out/postgres. */
const folders = ['accounts', 'evidence', 'integrations', 'partners', 'problems', 'runs'];
/** Files that are there to hold SQL. */
const holdsSql = /-(?:reader|statements)\.ts$/;
const statement = /\bselect\b|\binsert\s+into\b|\bupdate\b[^;]*\bset\b|\bdelete\s+from\b/i;

/** The texts of string and template literals; a template without its expressions. */
function literalsOf({ path, text }: SourceFile): string[] {
  const found: string[] = [];
  const enter = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    if (ts.isTemplateExpression(node))
      found.push([node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text).join(' '));
    ts.forEachChild(node, enter);
  };
  enter(ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true));
  return found;
}

const statementsIn = (file: SourceFile): string[] => literalsOf(file).filter((literal) => statement.test(literal));

const sources = folders.map((folder) => [folder, filesIn(`src/adapters/out/postgres/${folder}`)] as const);

describe('CRUD stores', () => {
  it.each(sources)('of %s are TypeORM repositories', (_folder, files) => {
    expect(files.some(({ path }) => /\/postgres-[a-z-]+-repository\.ts$/.test(path))).toBe(true);
  });

  it.each(sources)('of %s have no SQL outside of readers and statements', (_folder, files) => {
    const wrong = files.filter(({ path }) => !holdsSql.test(path)).flatMap((file) => statementsIn(file).map((text) => [file.path, text]));
    expect(wrong).toEqual([]);
  });

  it.each([
    ["const find = 'select id from accounts';", true],
    ['const find = `\n  SELECT ${columns}\n  from accounts`;', true],
    ['const add = `insert into ${table} (id) values ($1)`;', true],
    ['const change = `update ${table}\n set name = $2`;', true],
    ['const remove = "delete\\n from accounts";', true],
    ["const condition = 'account.id = link.account_id and not account.disabled';", false],
    ['// select id from accounts\nconst at = () => `now()`;', false],
    ["const options = { select: { id: true }, lock: { mode: 'for_no_key_update' } };", false],
  ])('are distinguished from other text: %s', (text, isWrong) => {
    expect(statementsIn({ path: 'planted.ts', text }).length > 0).toBe(isWrong);
  });
});
