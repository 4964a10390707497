import cluster, { type Worker } from 'node:cluster';
import { MergedSamples, type WorkerSamples } from '../../adapters/out/telemetry/merged-samples';
import type { Sample } from '../../adapters/out/telemetry/sample';
import type { Scrape } from './compose-service';

/** Messages between the first process and a serving one: a scrape request and its reply. */
interface ScrapeRequest {
  readonly scrape: number;
  /** Whether to include the metrics that all processes share: one process reports them. */
  readonly shared: boolean;
}
interface ScrapeReply {
  readonly scraped: number;
  readonly samples: readonly Sample[];
}

const isScrapeRequest = (message: unknown): message is ScrapeRequest =>
  typeof message === 'object' && message !== null && 'scrape' in message;
const isScrapeReply = (message: unknown): message is ScrapeReply => typeof message === 'object' && message !== null && 'scraped' in message;

/** The milliseconds after which a process without a reply is omitted from a scrape. */
const patienceMs = 3000;

/** In a serving process: answers the scrapes of the first one. */
export function answerScrapes(scrape: Scrape): void {
  process.on('message', (message: unknown) => {
    if (!isScrapeRequest(message)) return;
    void scrape(message).then((samples) => process.send?.({ scraped: message.scrape, samples } satisfies ScrapeReply));
  });
}

/** In the first process: one scrape of all that serve. */
export class WorkerScrapes {
  private readonly merged: MergedSamples;
  /** The slot number of each process: the smallest one that was free at its first scrape. */
  private readonly numbers = new Map<number, number>();
  private turn: Promise<readonly Sample[]> = Promise.resolve([]);
  private lastScrape = 0;

  constructor(integrations: number) {
    this.merged = new MergedSamples(integrations);
  }

  /** Runs one scrape at a time, because each adds to the one before. */
  scrape(): Promise<readonly Sample[]> {
    this.turn = this.turn.then(() => this.next());
    return this.turn;
  }

  private async next(): Promise<readonly Sample[]> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true) as Worker[];
    this.assignNumbers(workers);
    const scraped = await Promise.all(workers.map((worker, i) => this.scrapeWorker(worker, i === 0)));
    return this.merged.merge(scraped.filter((one) => one !== undefined));
  }

  private assignNumbers(workers: readonly Worker[]): void {
    const ids = new Set(workers.map(({ id }) => id));
    for (const id of this.numbers.keys()) if (!ids.has(id)) this.numbers.delete(id);
    for (const id of ids) {
      if (this.numbers.has(id)) continue;
      const taken = new Set(this.numbers.values());
      let number = 1;
      while (taken.has(number)) number++;
      this.numbers.set(id, number);
    }
  }

  private scrapeWorker(worker: Worker, shared: boolean): Promise<WorkerSamples | undefined> {
    const scrape = ++this.lastScrape;
    return new Promise((resolve) => {
      const end = (samples?: readonly Sample[]): void => {
        clearTimeout(timer);
        worker.off('message', onMessage);
        worker.off('exit', lost);
        resolve(samples && { worker: String(this.numbers.get(worker.id)), process: String(worker.id), samples });
      };
      const onMessage = (message: unknown): void => {
        if (isScrapeReply(message) && message.scraped === scrape) end(message.samples);
      };
      const lost = (): void => end();
      const timer = setTimeout(lost, patienceMs);
      worker.on('message', onMessage).on('exit', lost);
      worker.send({ scrape, shared } satisfies ScrapeRequest, undefined, (error) => error && end());
    });
  }
}
