import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderErrorReference } from '../../../src/reference/errors/error-reference';
import { problemKinds } from '../../../src/adapters/in/http/manage/http/problem';
import { statusOf } from '../../../src/adapters/in/http/error-handler';
import { catalogue, type CatalogueEntry } from '../../../src/domain/shared/error-catalogue';
import type { ErrorKind } from '../../../src/domain/shared/error-kind';
import { errorCodesIn } from '../english/house-words';
import { projectRoot } from '../planted-tree';
import { filesIn, type SourceFile } from '../source-files';

const entries = new Map<string, CatalogueEntry>(Object.entries(catalogue));
const codes = [...entries.keys()];
const comesFromPartner = (code: string): boolean => entries.get(code)?.comesFrom !== undefined;

const isCode = (path: string): boolean => path.endsWith('.ts');
// The sandbox plays the partners: the codes that it gives are theirs, and so are those of its tests.
const source = filesIn('src').filter(
  ({ path }) => isCode(path) && !/^src\/(?:sandbox|kit|dashboard|reference)\/|error-catalogue\.ts$/.test(path),
);
const tests = filesIn('tests').filter(({ path }) => isCode(path) && !/^tests\/(?:architecture|unit\/sandbox)\//.test(path));

const names = ({ text }: SourceFile, code: string): boolean => new RegExp(`\\b${code}\\b`).test(text);
const isNamedIn = (files: readonly SourceFile[], code: string): boolean => files.some((file) => names(file, code));

/** Errors of the manage API: they leave as problem documents, with statuses of their own. */
const ofManageApi =
  /^src\/domain\/(?:partners\/(?:registry-errors|revoke-credential)|deliveries\/(?:resend-delivery|resend-deliveries|release-endpoint-queue)|accounts\/account-errors|operations\/operations-errors|payments\/payment-record-repository|sso\/user-record-repository)\.ts$/;

/** The pairs of kind and code that a file gives, where both are written out. */
const given = ({ path, text }: SourceFile): { path: string; kind: string; code: string }[] =>
  [...text.matchAll(/\b(?:refusal|super|new \w+)\(\s*'([a-z-]+)',\s*'([A-Z_]+)'/g)].map(([, kind = '', code = '']) => ({
    path,
    kind,
    code,
  }));

describe('the error reference', () => {
  it('is what the catalogue says: `npm run docs:errors` writes it', () => {
    expect(readFileSync(join(projectRoot, 'docs/reference/errors.md'), 'utf8')).toBe(renderErrorReference());
  });

  it('holds every code once', () => {
    const rows = [...renderErrorReference().matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code]) => code);
    expect(rows.sort()).toEqual([...codes].sort());
  });

  it('has its own section for every code and every kind of problem, with advice', () => {
    const headings = [...renderErrorReference().matchAll(/^### (\S+)\n\n(.+)$/gm)].map(([, name = '', advice = '']) => ({ name, advice }));
    expect(headings.map(({ name }) => name)).toEqual([...codes, ...Object.keys(problemKinds)]);
    expect(headings.filter(({ advice }) => advice.split('. ').length < 2).map(({ name }) => name)).toEqual([]);
  });
});

describe('the error catalogue', () => {
  it('has every code in a test, or names the partner that sends it', () => {
    expect(codes.filter((code) => !comesFromPartner(code) && !isNamedIn(tests, code))).toEqual([]);
  });

  it('has no code that the service cannot give, unless it comes from a partner', () => {
    expect(codes.filter((code) => !comesFromPartner(code) && !isNamedIn(source, code))).toEqual([]);
  });

  it('says that a code comes from a partner only if the service never raises it', () => {
    const raised = new Set(source.flatMap(errorCodesIn));
    expect(codes.filter((code) => comesFromPartner(code) && raised.has(code))).toEqual([]);
  });

  it('knows each kind with which the service raises a code', () => {
    const pairs = source.filter(({ path }) => !ofManageApi.test(path)).flatMap(given);
    expect(pairs.length).toBeGreaterThan(30);
    const statusesOf = (code: string): number[] => entries.get(code)?.kinds.map((kind) => statusOf[kind]) ?? [];
    expect(pairs.filter(({ kind, code }) => !statusesOf(code).includes(statusOf[kind as ErrorKind]))).toEqual([]);
  });
});
