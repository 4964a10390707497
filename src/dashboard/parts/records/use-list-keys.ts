import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { isTyping } from '../is-typing';

/** Moves through rows with j and k, opens one with Enter, or in a new tab with o. Returns the index of the current row; -1 for none. */
export function useListKeys<Row>(rows: readonly Row[], linkOf: ((row: Row) => string | undefined) | undefined): number {
  const [active, setActive] = useState(-1);
  const navigate = useNavigate();
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event)) return;
    if (event.key === 'j') setActive((before) => Math.min(before + 1, rows.length - 1));
    if (event.key === 'k') setActive((before) => Math.max(before - 1, 0));
    const row = rows[active];
    const to = row === undefined ? undefined : linkOf?.(row);
    if (to === undefined) return;
    // Enter belongs to the focused element, if there is one.
    const isFree = document.activeElement === document.body || document.activeElement?.tagName === 'MAIN';
    if (event.key === 'Enter' && isFree) void navigate(to);
    if (event.key === 'o') window.open(`/dashboard${to}`, '_blank', 'noopener');
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
  useEffect(() => {
    // The braces discard the promise that newer browsers return: an effect may return only its cleanup.
    document.querySelector('[data-active]:is(tr, li)')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return active;
}
