import cluster, { type Worker } from 'node:cluster';
import { MergedSamples, type WorkerSamples } from '../adapters/out/telemetry/merged-samples';
import type { Sample } from '../adapters/out/telemetry/sample';
import type { Scrape } from './compose-service';

/** What the first process asks a serving one, and what that answers, over the channel between them. */
interface Asked {
  readonly scrape: number;
  /** Of what all of them share one process tells. */
  readonly shared: boolean;
}
interface Told {
  readonly scraped: number;
  readonly samples: readonly Sample[];
}

const isAsked = (message: unknown): message is Asked => typeof message === 'object' && message !== null && 'scrape' in message;
const isTold = (message: unknown): message is Told => typeof message === 'object' && message !== null && 'scraped' in message;

/** A process that has not answered after so long, in milliseconds, is left out of a scrape. */
const patienceMs = 3000;

/** In a serving process: answers the scrapes of the first one. */
export function answerScrapes(scrape: Scrape): void {
  process.on('message', (message: unknown) => {
    if (!isAsked(message)) return;
    void scrape(message).then((samples) => process.send?.({ scraped: message.scrape, samples } satisfies Told));
  });
}

/** In the first process: one scrape of all that serve. */
export class WorkerScrapes {
  private readonly merged: MergedSamples;
  /** By the number of its process: the smallest that was free as it was first heard. */
  private readonly places = new Map<number, number>();
  private turn: Promise<readonly Sample[]> = Promise.resolve([]);
  private asked = 0;

  constructor(integrations: number) {
    this.merged = new MergedSamples(integrations);
  }

  /** One at a time, as each adds to the one before. */
  scrape(): Promise<readonly Sample[]> {
    this.turn = this.turn.then(() => this.next());
    return this.turn;
  }

  private async next(): Promise<readonly Sample[]> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true) as Worker[];
    this.place(workers);
    const scraped = await Promise.all(workers.map((worker, i) => this.ask(worker, i === 0)));
    return this.merged.merge(scraped.filter((one) => one !== undefined));
  }

  private place(workers: readonly Worker[]): void {
    const ids = new Set(workers.map(({ id }) => id));
    for (const id of this.places.keys()) if (!ids.has(id)) this.places.delete(id);
    for (const id of ids) {
      if (this.places.has(id)) continue;
      const taken = new Set(this.places.values());
      let place = 1;
      while (taken.has(place)) place++;
      this.places.set(id, place);
    }
  }

  private ask(worker: Worker, shared: boolean): Promise<WorkerSamples | undefined> {
    const scrape = ++this.asked;
    return new Promise((resolve) => {
      const end = (samples?: readonly Sample[]): void => {
        clearTimeout(timer);
        worker.off('message', hear);
        worker.off('exit', lost);
        resolve(samples && { worker: String(this.places.get(worker.id)), process: String(worker.id), samples });
      };
      const hear = (message: unknown): void => {
        if (isTold(message) && message.scraped === scrape) end(message.samples);
      };
      const lost = (): void => end();
      const timer = setTimeout(lost, patienceMs);
      worker.on('message', hear).on('exit', lost);
      worker.send({ scrape, shared } satisfies Asked, undefined, (error) => error && end());
    });
  }
}
