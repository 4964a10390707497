import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from '../bench-options';
import { framesOf, sharesOf, type CpuProfile } from './cpu-profile';
import type { Sections } from '../page/figures';
import { flameGraphOf } from './flame-graph';
import { connects } from '../calls/prepared-calls';
import { Stage, type Surroundings } from '../stage';

const flameFile = join(__dirname, '../../../docs/images/connect-flame.svg');

/** Seconds of full load; the last ones are profiled. */
const [loadedS, seenS] = [20, 10];
/** Microseconds between two samples. */
const everyUs = 250;

/** Where the time of the process goes under connects with Basic; its flame graph is written where figures are kept. */
export async function measureProfile(context: Surroundings, { builds, connections, keep }: BenchOptions): Promise<Sections['profile']> {
  const folder = mkdtempSync(join(tmpdir(), 'pierhead-profile-'));
  const [build = ''] = builds;
  try {
    const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${everyUs}`];
    const stage = await Stage.open(context, build, 'profile', flags);
    try {
      const requests = connects(stage.pairs.basic);
      await context.driver.run({ url: stage.service.url, requests, connections, seconds: loadedS });
    } finally {
      // The profile is written when the process ends.
      await stage.close();
    }
    const [file = ''] = readdirSync(folder);
    const root = framesOf(JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile, seenS);
    if (keep) writeFileSync(flameFile, flameGraphOf(root, 'Connect with Basic: where the time of the event loop goes'));
    return { seconds: seenS, shares: sharesOf(root) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
