import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

/** A regular expression of the code, and where it stands. */
export interface Expression {
  readonly at: string;
  readonly expression: RegExp;
}

export interface Expressions {
  readonly written: readonly Expression[];
  /** Files that make an expression of something else than a text of their own. */
  readonly computedIn: readonly string[];
}

const root = resolve(__dirname, '../../..');

/** Every regular expression of `folders`, as the parser of TypeScript finds them. */
export function expressionsIn(...folders: readonly string[]): Expressions {
  const written: Expression[] = [];
  const computedIn = new Set<string>();
  for (const path of folders.flatMap(sourcesIn)) {
    const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true);
    const at = (node: ts.Node): string => `${path}:${String(source.getLineAndCharacterOfPosition(node.getStart()).line + 1)}`;
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) written.push({ at: at(node), expression: readLiteral(node.text) });
      if (makesExpression(node)) {
        const texts = (node.arguments ?? []).map((argument) => (ts.isStringLiteralLike(argument) ? argument.text : undefined));
        if (texts.length === 0 || texts.includes(undefined)) computedIn.add(path);
        else written.push({ at: at(node), expression: new RegExp(texts[0] ?? '', texts[1]) });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { written, computedIn: [...computedIn] };
}

const makesExpression = (node: ts.Node): node is ts.NewExpression | ts.CallExpression =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp';

function readLiteral(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
