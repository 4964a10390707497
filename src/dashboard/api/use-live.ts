import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { listen, type Topic } from './live-stream';
import { isTouched } from './use-action';

/** Refetches the paths, or calls the function, after a change of the topic. Without a topic it does nothing. */
export function useLive(topic: Topic | undefined, reaction: readonly string[] | (() => Promise<void>)): void {
  const queries = useQueryClient();
  const react = useEffectEvent(() => {
    if (document.hidden) return;
    if (typeof reaction === 'function') void reaction().catch(() => undefined);
    else void queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => isTouched(path, reaction) });
  });
  useEffect(() => (topic === undefined ? undefined : listen(topic, () => react())), [topic]);
}
