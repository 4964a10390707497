import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Delays, LoadTool } from '../load/load-driver';
import type { Round } from '../round';

export const figuresFile = join(__dirname, 'kept-figures.json');

/** One call, or one peer, over all rounds. */
export interface CallFigures extends Round {
  readonly name: string;
  readonly credential: string;
  /** The called server; absent: the service. */
  readonly peer?: PeerName;
  /** The service's figures as multiples of each peer's, medians over the rounds. */
  readonly against?: Readonly<Partial<Record<PeerName, Ratios>>>;
  /** KB of heap that a request asks for; absent where it is not measured. */
  readonly allocatedKb?: number;
}

/** Processor time for a request, and requests a second. */
export type Ratios = Readonly<Record<'cpu' | 'perSecond', number>>;

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  /** How many processes wanted to run, on average over the last minute, before the benchmark began. */
  readonly loadBefore: number;
}

/** Hand-written servers that do the same work (`peers/`). */
export type PeerName = 'limit' | 'tuned' | 'stack' | 'naive';

/** Calls whose latency at half load is measured. */
export type LatencyCall = 'connect' | 'create-order-payment';

/** What one call takes longer through the service than at the partner, at half load. */
export interface AddedLatency {
  readonly perSecond: number;
  /** Of single seconds, the medians: of calls at the partner, of those through the service, and of how much longer these took. */
  readonly direct: Delays;
  readonly through: Delays;
  readonly added: Delays;
  /** How many seconds there were. */
  readonly seconds: number;
  /** The part of the machine's processor time that others had meanwhile, 0 to 1. */
  readonly stolen: number;
}

/** Statements that one call sends to the database; one that serves n calls counts as 1/n. */
export interface StatementCount {
  /** Where the calls come one after the other, and where many come at once. */
  readonly alone: number;
  readonly together: number;
}

/** Everything that the benchmark measures, by section; each is measured in one run. */
export interface Sections {
  readonly calls: {
    readonly rounds: number;
    readonly seconds: number;
    readonly connections: number;
    readonly load: LoadTool;
    readonly machine: Machine;
    readonly all: readonly CallFigures[];
  };
  readonly latency: Readonly<Partial<Record<LatencyCall, AddedLatency>>>;
  /** By the names of the calls. */
  readonly statements: { readonly of: Readonly<Record<string, StatementCount>> };
  /** Milliseconds from the start of the process to ready; of `npm run demo` on the embedded database, from its start to its end. */
  readonly start: { readonly postgres: number; readonly embedded: number; readonly demo: number };
  readonly workers: {
    /** Calls a second for each process; what it costs with them. */
    readonly perSecond: number;
    readonly one: Round;
    readonly two: Round;
    /** With as many calls as are answered. */
    readonly full: { readonly one: Round; readonly two: Round };
  };
  readonly growth: {
    readonly rows: Readonly<Record<string, number>>;
    readonly empty: Round;
    readonly grown: Round;
    readonly spread: Round;
    /** Processor time as a multiple of that on the empty database, turn by turn. */
    readonly times: Readonly<Record<'grown' | 'spread', number>>;
  };
  readonly memory: {
    readonly minutes: number;
    readonly perSecond: number;
    readonly maxMb: number;
    readonly lastMb: number;
    /** Over the second half. */
    readonly mbAMinute: number;
  };
  readonly profile: {
    readonly seconds: number;
    /** Of the time in which the event loop's thread had something to do, by whose code it ran: 0 to 1, the largest first. */
    readonly shares: Readonly<Record<string, number>>;
  };
}

export type SectionName = keyof Sections;

/** The figures of the last run of each section, with its day, YYYY-MM-DD. */
export type FigureReader = { readonly [Name in SectionName]?: Sections[Name] & { readonly day: string } };

export const keptFigures = (): FigureReader =>
  existsSync(figuresFile) ? (JSON.parse(readFileSync(figuresFile, 'utf8')) as FigureReader) : {};

/** Writes down what this run has measured; what it has not stays as it was. */
export function keep(figures: FigureReader): FigureReader {
  const all = { ...keptFigures(), ...figures };
  const rounded = (_name: string, value: unknown): unknown => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);
  writeFileSync(figuresFile, `${JSON.stringify(all, rounded, 2)}\n`);
  // As they are rounded: the page is held against the file.
  return keptFigures();
}

export const dated = <T extends object>(section: T): T & { readonly day: string } => ({
  ...section,
  day: new Date().toISOString().slice(0, 10),
});

/** What the figures were taken on. */
export function machineWith(postgres: string, loadBefore: number): Machine {
  const all = cpus();
  return {
    ...{ cpu: all[0]?.model ?? 'unknown', cores: all.length, memoryGb: Math.round(totalmem() / 2 ** 30) },
    ...{ system: `${process.platform} ${release().split('-')[0] ?? ''} ${arch()}`, node: process.version.slice(1), postgres, loadBefore },
  };
}
