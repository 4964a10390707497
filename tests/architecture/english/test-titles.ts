import ts from 'typescript';
import type { SourceFile } from '../source-files';

export const maxTitleLength = 90;

/** What a call of `it` or `test` may go through: `it.each(rows)('…')`, `it.skip('…')`, `it.each`…`('…')`. */
const modifiers = new Set(['concurrent', 'each', 'failing', 'only', 'skip', 'todo']);

/** Titles of tests that are too long, as `path:line: length`. A placeholder counts as it is written. */
export function titleProblems(file: SourceFile): string[] {
  return titlesIn(file)
    .filter(({ title }) => title.length > maxTitleLength)
    .map(({ line, title }) => `${file.path}:${String(line)}: ${String(title.length)}`);
}

/** Every title of a test that is written where the test is, with its line. */
export function titlesIn({ path, text }: SourceFile): { readonly line: number; readonly title: string }[] {
  const found: { line: number; title: string }[] = [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
  const enter = (node: ts.Node): void => {
    const [first] = ts.isCallExpression(node) && isTest(node.expression) ? node.arguments : [];
    const title = first && textOf(first, source);
    if (first && title !== undefined) found.push({ line: source.getLineAndCharacterOfPosition(first.getStart(source)).line + 1, title });
    ts.forEachChild(node, enter);
  };
  enter(source);
  return found;
}

/** Not every call that begins with `test`: a spec may have a database of that name. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === 'it' || callee.text === 'test';
  if (ts.isPropertyAccessExpression(callee)) return modifiers.has(callee.name.text) && isTest(callee.expression);
  if (ts.isCallExpression(callee)) return isTest(callee.expression);
  return ts.isTaggedTemplateExpression(callee) && isTest(callee.tag);
}

function textOf(node: ts.Expression, source: ts.SourceFile): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) return node.getText(source).slice(1, -1);
  if (!ts.isBinaryExpression(node)) return undefined;
  const parts = [textOf(node.left, source), textOf(node.right, source)];
  return parts.some((part) => part === undefined) ? undefined : parts.join('');
}
