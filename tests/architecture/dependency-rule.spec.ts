import { join } from 'node:path';
import { PlantedTree, projectRoot, runTool } from './planted-tree';

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

interface Report {
  readonly summary: { readonly violations: readonly Violation[]; readonly totalCruised: number };
}

const rule = join(projectRoot, 'tests/architecture/dependency-rule.cjs');

async function violationsIn(folder: string): Promise<Report['summary']> {
  const { stdout, stderr } = await runTool(folder, 'depcruise', ['src', '--config', rule, '--output-type', 'json']);
  if (!stdout.startsWith('{')) throw new Error(`depcruise printed no report: ${stderr}`);
  return (JSON.parse(stdout) as Report).summary;
}

/** Where the forbidden import stands, what it says, and the rule that must catch it. */
const plantings: readonly (readonly [file: string, line: string, rule: string])[] = [
  ['src/domain/a/hash.ts', "import { createHash } from 'node:crypto';\nexport const x = createHash;", 'domain-is-closed'],
  ['src/domain/a/call.ts', "import axios from 'axios';\nexport const x = axios;", 'domain-is-closed'],
  ['src/domain/a/dto.ts', "import { IsString } from 'class-validator';\nexport const x = IsString;", 'domain-is-closed'],
  ['src/domain/a/type.ts', "import type { Request } from 'express';\nexport type X = Request;", 'domain-is-closed'],
  ['src/domain/a/out.ts', "import type { Pool } from '../../adapters/out/postgres/pool';\nexport type X = Pool;", 'domain-is-closed'],
  ['src/adapters/out/memory/peer.ts', "import type { Pool } from '../postgres/pool';\nexport type X = Pool;", 'adapters-ignore-each-other'],
  ['src/adapters/in/http/peer.ts', "import { pool } from '../../out/postgres/pool';\nexport const x = pool;", 'adapters-ignore-each-other'],
  ['src/adapters/in/http/root.ts', "import { wire } from '../../../composition/wire';\nexport const x = wire;", 'only-the-root-composes'],
  ['src/adapters/out/memory/env.ts', "import { port } from '../../../config/settings';\nexport const x = port;", 'only-the-root-composes'],
  ['src/sandbox/host.ts', "import { pool } from '../adapters/out/postgres/pool';\nexport const x = pool;", 'only-the-root-takes-adapters'],
  ['src/kit/rows.ts', "import { pool } from '../adapters/out/postgres/pool';\nexport const x = pool;", 'kit-stands-alone'],
  ['src/kit/kept.ts', "import { known } from '../adapters/out/signing/known';\nexport const x = known;", 'kit-needs-no-package'],
  ['src/sandbox/own.ts', "import { key } from '../kit/ok';\nexport const x = key;", 'kit-stays-outside'],
  ['src/sandbox/port.ts', "import { port } from '../config/settings';\nexport const x = port;", 'partners-code-stands-alone'],
  [
    'src/composition/box.ts',
    "import { host } from '../sandbox/ok';\nexport const x = host;\nimport '../cli';",
    'only-the-command-line-starts',
  ],
  ['src/conformance/far.ts', "import { host } from '../sandbox/ok';\nexport const x = host;", 'conformance-knows-the-domain-only'],
  ['src/adapters/in/http/far.ts', "import { near } from '../../../conformance/ok';\nexport const x = near;", 'conformance-stays-outside'],
  ['src/conformance/door.ts', "import { request } from 'node:http';\nexport const x = request;", 'one-door-out'],
  ['src/adapters/in/http/box.ts', "import { host } from '../../../sandbox/ok';\nexport const x = host;", 'sandbox-stays-outside'],
  ['src/config/deep.ts', "import { wire } from '../composition/wire';\nexport const x = wire;", 'settings-stand-alone'],
  ['src/adapters/dto/up.ts', "import { pool } from '../out/postgres/pool';\nexport const x = pool;", 'dtos-know-the-domain-only'],
  ['src/adapters/json/up.ts', "import { pool } from '../out/postgres/pool';\nexport const x = pool;", 'json-knows-the-domain-only'],
  ['src/adapters/out/memory/read.ts', "import { facts } from '../../dto/ok';\nexport const x = facts;", 'dtos-are-read-at-two-borders'],
  ['src/sandbox/pages/disk.ts', "import { host } from '../ok';\nexport const x = host;", 'pages-run-in-browsers'],
  ['src/dashboard/far.ts', "import { ok } from '../domain/a/ok';\nexport const x = ok;", 'dashboard-stands-alone'],
  ['src/dashboard/near.ts', "import { look } from '../sandbox/pages/look';\nexport const x = look;", 'dashboard-stands-alone'],
  ['src/pages/up.ts', "import { shown } from '../dashboard/ok';\nexport const x = shown;", 'shared-look-stands-alone'],
  ['src/adapters/in/http/shown.ts', "import { shown } from '../../../dashboard/ok';\nexport const x = shown;", 'dashboard-is-files'],
  ['src/composition/look.ts', "import { theme } from '../pages/ok';\nexport const x = theme;", 'shared-look-is-for-pages'],
  ['src/web/far.ts', "import { ok } from '../domain/a/ok';\nexport const x = ok;", 'page-serving-stands-alone'],
  ['src/composition/serve.ts', "import { files } from '../web/ok';\nexport const x = files;", 'pages-are-served-at-two-borders'],
  [
    'src/sandbox/pages/chart.ts',
    "import { Line } from 'recharts';\nexport const x = Line;",
    'confine-recharts-react-router-tanstack-tabler',
  ],
  ['src/sandbox/in.ts', "import { look } from './pages/look';\nexport const x = look;", 'pages-are-files'],
  ['src/sandbox/view.ts', "import { createElement } from 'react';\nexport const x = createElement;", 'confine-react-react-dom-mantine'],
  [
    'src/adapters/out/memory/all.ts',
    "import { all } from '../../../../migrations/all';\nexport const x = all;",
    'migrations-belong-to-postgres',
  ],
  ['src/adapters/out/postgres/door.ts', "import { request } from 'node:https';\nexport const x = request;", 'one-door-out'],
  ['src/adapters/out/memory/tool.ts', "import fc from 'fast-check';\nexport const x = fc;", 'only-declared-packages'],
  ['src/adapters/out/memory/gone.ts', "import { x } from './not-there';\nexport const y = x;", 'everything-is-found'],
  ['src/domain/c/one.ts', "import type { Two } from './two';\nexport type One = Two | 1;", 'no-cycles'],
  ['src/adapters/in/http/box-of-wires.ts', "import type { Container } from 'inversify';\nexport type X = Container;", 'confine-inversify'],
  ['src/composition/words.ts', "import { Command } from 'commander';\nexport const x = Command;", 'confine-commander-values'],
  ['src/adapters/out/memory/web.ts', "import helmet from 'helmet';\nexport const x = helmet;", 'confine-express-cors-helmet'],
  ['src/adapters/out/memory/rows.ts', "import type { DataSource } from 'typeorm';\nexport type X = DataSource;", 'confine-typeorm-pg'],
  ['src/adapters/in/http/kept.ts', "import { LRUCache } from 'lru-cache';\nexport const x = LRUCache;", 'confine-lru-cache'],
  ['src/adapters/out/postgres/lite.ts', "import { PGlite } from '@electric-sql/pglite';\nexport const x = PGlite;", 'confine-electric-sql'],
  ['src/adapters/out/logging/call.ts', "import axios from 'axios';\nexport const x = axios;", 'confine-axios-undici'],
  ['src/adapters/in/http/span.ts', "import { trace } from '@opentelemetry/api';\nexport const x = trace;", 'confine-opentelemetry'],
  ['src/adapters/in/http/log.ts', "import winston from 'winston';\nexport const x = winston;", 'confine-winston'],
  [
    'src/adapters/in/http/limit.ts',
    "import { RateLimiterMemory } from 'rate-limiter-flexible';\nexport const x = RateLimiterMemory;",
    'confine-rate-limiter-flexible',
  ],
  ['src/adapters/in/http/ip.ts', "import ip from 'ipaddr.js';\nexport const x = ip;", 'confine-ipaddr-js'],
  [
    'src/composition/dto.ts',
    "import { Type } from 'class-transformer';\nexport const x = Type;",
    'confine-class-validator-transformer-values',
  ],
];

/** What the plantings lean on, and imports that must stay allowed. */
const soil: Readonly<Record<string, string>> = {
  'src/domain/a/ok.ts': 'export const ok = 1;',
  'src/adapters/out/signing/key.ts': "import { hash as made } from 'node:crypto';\nexport const key = made;",
  'src/adapters/out/signing/known.ts': "import { LRUCache } from 'lru-cache';\nexport const known = LRUCache;",
  'src/kit/ok.ts':
    "import { key as made } from '../adapters/out/signing/key';\nimport { ok } from '../domain/a/ok';\nexport const key = [made, ok];",
  'src/conformance/ok.ts': "import { ok } from '../domain/a/ok';\nexport const near = ok;",
  'src/domain/c/two.ts': "import type { One } from './one';\nexport type Two = One | 2;",
  'src/adapters/dto/ok.ts':
    "import { ok } from '../../domain/a/ok';\nimport { IsString } from 'class-validator';\nexport const facts = [ok, IsString];",
  'src/adapters/in/http/ok.ts':
    "import express from 'express';\nimport { facts } from '../../dto/ok';\nexport const app = [express, facts];",
  'src/adapters/out/postgres/pool.ts':
    "import { Pool } from 'pg';\nimport { all } from '../../../../migrations/all';\nexport const pool = [Pool, all];\nexport type { Pool };",
  'src/composition/wire.ts':
    "import { Container } from 'inversify';\nimport { app } from '../adapters/in/http/ok';\nimport { pool } from '../adapters/out/postgres/pool';\nimport { port } from '../config/settings';\nexport const wire = [Container, app, pool, port];",
  'src/composition/names.ts': "import type { DataSource } from 'typeorm';\nexport type Database = DataSource;",
  'src/config/settings.ts': 'export const port = 1;',
  'src/sandbox/ok.ts': "import express from 'express';\nexport const host = express;",
  'src/sandbox/playground/playground-leg.ts': 'export const queues = [1];',
  'src/sandbox/pages/look.ts':
    "import { createElement } from 'react';\nimport { queues } from '../playground/playground-leg';\nexport const look = [createElement, queues];",
  'src/web/ok.ts': "import express from 'express';\nexport const files = express;",
  'src/pages/ok.ts': "import { createTheme } from '@mantine/core';\nexport const theme = createTheme;",
  'src/dashboard/ok.ts': "import { theme } from '../pages/ok';\nimport { Line } from 'recharts';\nexport const shown = [theme, Line];",
  'src/main.ts': "import { wire } from './composition/wire';\nexport const main = wire;",
  'src/composition/commands/start-command.ts':
    "import { Command } from 'commander';\nimport { main } from '../../main';\nexport const start = [Command, main];",
  'src/cli.ts': "import { start } from './composition/commands/start-command';\nexport const x = start;",
  'migrations/all.ts': 'export const all = 1;',
};

describe('the dependency rule', () => {
  const planted = new PlantedTree({ ...soil, ...Object.fromEntries(plantings.map(([file, line]) => [file, line])) });
  let caught: Report['summary'];
  beforeAll(async () => {
    caught = await violationsIn(planted.folder);
  }, 120_000);
  afterAll(() => {
    planted.remove();
  });

  it('holds in the source', async () => {
    const { violations, totalCruised } = await violationsIn(projectRoot);
    expect(violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
    expect(totalCruised).toBeGreaterThan(20);
  }, 120_000);

  it.each(plantings)('catches %s', (file, _line, name) => {
    const rules = caught.violations.filter(({ from }) => from === file).map(({ rule }) => rule.name);
    expect(rules).toContain(name);
  });

  it('lets allowed imports pass', () => {
    const allowed = Object.keys(soil).filter((file) => file !== 'src/domain/c/two.ts');
    expect(caught.violations.filter(({ from }) => allowed.includes(from))).toEqual([]);
  });
});
