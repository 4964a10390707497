import { Ticker } from '../../../src/adapters/in/worker/ticker';

/** Work that ends when told. */
class Work {
  begun = 0;
  atOnce = 0;
  maxAtOnce = 0;
  private ends: (() => void)[] = [];

  readonly run = async (): Promise<void> => {
    this.begun++;
    this.maxAtOnce = Math.max(this.maxAtOnce, ++this.atOnce);
    await new Promise<void>((resolve) => this.ends.push(resolve));
    this.atOnce--;
  };

  async end(): Promise<void> {
    this.ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const silent = (): void => undefined;

it('runs at once when called, and once more for any number of calls meanwhile', async () => {
  const work = new Work();
  const ticker = new Ticker({ work: work.run, everyMs: 60_000, onFailure: silent });
  ticker.call();
  expect(work.begun).toBe(1);
  for (let i = 0; i < 5; i++) ticker.call();
  expect(work.begun).toBe(1);
  await work.end();
  expect(work.begun).toBe(2);
  await work.end();
  await work.end();
  expect([work.begun, work.maxAtOnce]).toEqual([2, 1]);
});

it('runs on its beat', async () => {
  let runs = 0;
  await new Promise<void>((resolve) => {
    const work = async (): Promise<void> => {
      if (++runs === 3) resolve();
    };
    const ticker = new Ticker({ work, everyMs: 2, onFailure: silent });
    ticker.start();
    // The beat alone keeps no process alive.
    setTimeout(() => void ticker.stop(), 1000).unref();
  });
  expect(runs).toBe(3);
});

it('goes on after a failure, and tells of it', async () => {
  const failures: unknown[] = [];
  let runs = 0;
  const work = () => Promise.reject(new Error(`run ${String(++runs)}`));
  const ticker = new Ticker({ work, everyMs: 60_000, onFailure: (error) => failures.push(error) });
  for (let i = 0; i < 2; i++) {
    ticker.call();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(failures).toEqual([new Error('run 1'), new Error('run 2')]);
});

it('stops when the present run has ended, and begins no other', async () => {
  const work = new Work();
  const ticker = new Ticker({ work: work.run, everyMs: 1, onFailure: silent });
  ticker.start();
  ticker.call();
  ticker.call();
  let stopped = false;
  const stopping = ticker.stop().then(() => (stopped = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(stopped).toBe(false);
  await work.end();
  await stopping;
  ticker.call();
  expect(work.begun).toBe(1);
});
