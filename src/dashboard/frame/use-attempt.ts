import { useState, type SyntheticEvent } from 'react';

interface Attempt {
  /** What the last attempt threw. */
  readonly error: unknown;
  readonly isUnderWay: boolean;
  readonly submit: (event: SyntheticEvent) => void;
}

/** A form's deed: whether it is under way, and what it threw. */
export function useAttempt(deed: () => Promise<unknown>): Attempt {
  const [error, setError] = useState<unknown>();
  const [isUnderWay, setUnderWay] = useState(false);
  const run = async (): Promise<void> => {
    setUnderWay(true);
    setError(undefined);
    await deed().catch((thrown: unknown) => setError(thrown));
    setUnderWay(false);
  };
  return {
    error,
    isUnderWay,
    submit: (event) => {
      event.preventDefault();
      void run();
    },
  };
}
