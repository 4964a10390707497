import { readdirSync, readFileSync } from 'node:fs';

/** The processes that one has started and that run still. */
export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number).filter(isAlive);
}

/** Runs, that is: is there, and not only waits to be buried. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Bytes of memory that a process has in use. */
export function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Files, sockets and pipes that a process has open. */
export const openHandles = (pid: number): number => readdirSync(`/proc/${String(pid)}/fd`).length;
