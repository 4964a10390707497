import { textOf } from './process-cost';

/** Processor time of the machine since it was started, in ticks of the kernel, all its processors together. */
export interface MachineTime {
  readonly all: number;
  /** In which a processor had something to do, and the host of the machine had given it to others (`steal`, proc(5)). */
  readonly stolen: number;
}

/** Now. `stat`: the text of /proc/stat; where there is none, nothing is known to be stolen. */
export function machineTime(stat = textOf('/proc/stat') ?? ''): MachineTime {
  // user nice system idle iowait irq softirq steal; what follows is in them already.
  const ticks = (/^cpu +(.*)$/m.exec(stat)?.[1] ?? '').split(' ').slice(0, 8).map(Number);
  return { all: ticks.reduce((sum, one) => sum + one, 0), stolen: ticks[7] ?? 0 };
}

/** The part of the machine's processor time between two moments that others had, 0 to 1: slow calls meanwhile may be so because of them. */
export function stolenPart(from: MachineTime, to: MachineTime): number {
  return to.all > from.all ? (to.stolen - from.stolen) / (to.all - from.all) : 0;
}
