import { readFileSync } from 'node:fs';

/** A process and all that it has started, so that serving processes count with the one that started them. */
export function treeOf(pid: number): number[] {
  const all = [pid];
  for (const one of all) {
    const children = textOf(`/proc/${one}/task/${one}/children`)?.trim();
    if (children) all.push(...children.split(' ').map(Number));
  }
  return all;
}

/** Milliseconds of processor time that a process has used, of all its threads and ended children; 0 for one that is gone. In steps of ten. */
export function cpuMsOf(pid: number): number {
  const fields = textOf(`/proc/${pid}/stat`)?.split(') ').pop()?.split(' ').slice(11, 15) ?? [];
  return fields.reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}

export const cpuMsOfTree = (pid: number): number => treeOf(pid).reduce((sum, one) => sum + cpuMsOf(one), 0);

/** Resident memory of a process in MB of 2^20 bytes. */
export const residentMb = (pid: number): number => Number(/^VmRSS:\s+(\d+) kB/m.exec(textOf(`/proc/${pid}/status`) ?? '')?.[1] ?? 0) / 1024;

/** What the kernel tells in a file; `undefined` where there is none. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
