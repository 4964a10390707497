import { textOf } from './process-cost';

/** Processor time of the machine since it was started, in ticks of the kernel, all its processors together. */
export interface MachineTime {
  readonly all: number;
  /** In which a processor had something to do, and the host of the machine had given it to others (`steal`, proc(5)). */
  readonly stolen: number;
}

/** `text`: of /proc/stat. */
export function machineTimeIn(text: string): MachineTime {
  // user nice system idle iowait irq softirq steal; what follows is in them already.
  const ticks = (/^cpu +(.*)$/m.exec(text)?.[1] ?? '').split(' ').slice(0, 8).map(Number);
  return { all: ticks.reduce((sum, one) => sum + one, 0), stolen: ticks[7] ?? 0 };
}

const everyMs = 100;

/** Watches how much of the machine's processors others are given: what is measured meanwhile is not measured on this machine. */
export class StolenTime {
  private readonly samples: (MachineTime & { readonly at: number })[] = [];
  private readonly timer: NodeJS.Timeout;

  /** `read`: the text of /proc/stat; where there is none, nothing is known to be stolen. */
  constructor(
    private readonly read: () => string = () => textOf('/proc/stat') ?? '',
    private readonly now: () => number = Date.now,
  ) {
    this.look();
    this.timer = setInterval(() => this.look(), everyMs);
  }

  /** The part of the machine's processor time between two moments (milliseconds since the epoch) that others had, 0 to 1. */
  partBetween(from: number, to: number): number {
    this.look();
    const at = (moment: number) => this.samples.find((sample) => sample.at >= moment) ?? this.samples.at(-1)!;
    const [before, after] = [at(from), at(to)];
    return after.all > before.all ? (after.stolen - before.stolen) / (after.all - before.all) : 0;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    this.samples.push({ at: this.now(), ...machineTimeIn(this.read()) });
  }
}
