/** Time as a sandbox partner takes it, so that whoever stands it up may wind it. */
export interface SandboxTime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs the task once, `ms` milliseconds from now; the returned function stops it before. */
  later(ms: number, task: () => void | Promise<void>): () => void;
}

/** The time of the machine; a task that is waiting does not keep the process alive. */
export const machineTime: SandboxTime = {
  now: () => Date.now(),
  later: (ms, task) => {
    const timer = setTimeout(() => void task(), ms).unref();
    return () => {
      clearTimeout(timer);
    };
  },
};
