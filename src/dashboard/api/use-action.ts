import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { notify } from '../parts/notices';
import { messageOf } from './problem';

interface ActionRules<Input, Answer> {
  /** Paths of the manage API to refetch afterwards, with all paths below them. */
  readonly touches?: readonly string[];
  /** The notice after success. */
  readonly done?: string | ((answer: Answer, input: Input) => string);
  /** False when the caller shows errors itself. */
  readonly showsErrors?: boolean;
}

/** A call of the manage API that changes something: shows a notice of the result and refetches the paths that it touches. */
export function useAction<Input = void, Answer = unknown>(
  action: (input: Input) => Promise<Answer>,
  { touches = [], done, showsErrors = true }: ActionRules<Input, Answer> = {},
): UseMutationResult<Answer, Error, Input> {
  const queries = useQueryClient();
  return useMutation<Answer, Error, Input>({
    mutationFn: action,
    onSuccess: async (answer, input) => {
      if (done !== undefined) notify({ tone: 'good', text: typeof done === 'string' ? done : done(answer, input) });
      await queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => isTouched(path, touches) });
    },
    onError: (error) => {
      if (showsErrors) notify({ tone: 'bad', text: messageOf(error), error });
    },
  });
}

/** Whether a query's path equals or is below one of these. */
export const isTouched = (path: unknown, touches: readonly string[]): boolean =>
  typeof path === 'string' && touches.some((touched) => path === touched || path.startsWith(`${touched}/`));
