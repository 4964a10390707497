import { useState, type SyntheticEvent } from 'react';

interface Attempt {
  /** The error of the last attempt. */
  readonly error: unknown;
  readonly isPending: boolean;
  readonly submit: (event: SyntheticEvent) => void;
}

/** Runs a form's action, with its pending state and its error. */
export function useAttempt(action: () => Promise<unknown>): Attempt {
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const run = async (): Promise<void> => {
    setPending(true);
    setError(undefined);
    await action().catch((thrown: unknown) => setError(thrown));
    setPending(false);
  };
  return {
    error,
    isPending,
    submit: (event) => {
      event.preventDefault();
      void run();
    },
  };
}
