import { setFlagsFromString } from 'node:v8';

/**
 * How V8 collects garbage in a process that serves for weeks (ADR 040):
 * - one thread collects young objects, the one that makes them: the other cores serve other processes;
 * - old objects are collected once they have grown by a quarter, not by several times;
 * - objects are never allocated as old ones: such an object keeps everything that it refers to alive until a full collection;
 * - an idle process keeps its heap and its compiled code, so that the next calls are as fast as the last.
 */
const flags = [
  '--no-parallel-scavenge',
  '--heap-growing-percent=25',
  '--no-allocation-site-pretenuring',
  '--no-memory-reducer',
  '--no-flush-bytecode',
];

/** Sets the flags. Must be called before large modules are loaded. */
export const setV8Flags = (): void => {
  for (const flag of flags) setFlagsFromString(flag);
};
