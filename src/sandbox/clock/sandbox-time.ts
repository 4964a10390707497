/** The clock of a sandbox partner; it can be replaced by one that can be advanced. */
export interface SandboxTime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs the task once after `ms` milliseconds; the returned function cancels it. */
  schedule(ms: number, task: () => void | Promise<void>): () => void;
}

/** The machine's clock. Waiting tasks do not keep the process alive. */
export const machineTime: SandboxTime = {
  now: () => Date.now(),
  schedule: (ms, task) => {
    const timer = setTimeout(() => void task(), ms).unref();
    return () => {
      clearTimeout(timer);
    };
  },
};
