import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { tell } from '../parts/notices';
import { messageOf } from './problem';

interface DeedRules<Input, Answer> {
  /** Paths of the manage API whose readings are out of date afterwards, with all below them. */
  readonly touches?: readonly string[];
  /** The notice of success. */
  readonly done?: string | ((answer: Answer, input: Input) => string);
  /** False: who calls it shows the error. */
  readonly tells?: boolean;
}

/** Does something at the manage API, once; says how it went, and reads again what it touches. */
export function useDeed<Input = void, Answer = unknown>(
  deed: (input: Input) => Promise<Answer>,
  { touches = [], done, tells = true }: DeedRules<Input, Answer> = {},
): UseMutationResult<Answer, Error, Input> {
  const queries = useQueryClient();
  return useMutation<Answer, Error, Input>({
    mutationFn: deed,
    onSuccess: async (answer, input) => {
      if (done !== undefined) tell({ tone: 'good', text: typeof done === 'string' ? done : done(answer, input) });
      await queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => isTouched(path, touches) });
    },
    onError: (error) => {
      if (tells) tell({ tone: 'bad', text: messageOf(error), error });
    },
  });
}

/** Whether a query's path is one of those, or below one. */
export const isTouched = (path: unknown, touches: readonly string[]): boolean =>
  typeof path === 'string' && touches.some((touched) => path === touched || path.startsWith(`${touched}/`));
