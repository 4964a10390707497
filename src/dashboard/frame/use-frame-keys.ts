import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '../api/session';
import { isTyping } from '../parts/is-typing';
import { useRangeSearch } from '../parts/range/use-range';
import { screensOf } from '../screens';

/** Milliseconds after `g` in which a letter opens a screen. */
const afterGMs = 1500;
let pressedG = -Infinity;

/** Keyboard shortcuts of the frame: `/` opens the search, `?` the help, `g` and a letter a screen. */
export function useFrameKeys({ onHelp }: { readonly onHelp: () => void }): void {
  const navigate = useNavigate();
  const { role, viewAs } = useSession();
  const range = useRangeSearch();
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event)) return;
    const isAfterG = performance.now() - pressedG < afterGMs;
    pressedG = event.key === 'g' ? performance.now() : -Infinity;
    const screen = isAfterG ? screensOf(viewAs?.role ?? role).find(({ key }) => key === event.key) : undefined;
    if (screen) void navigate(`${screen.path}${range}`);
    else if (event.key === '?') onHelp();
    else if (event.key === '/') document.dispatchEvent(new Event('pierhead:search'));
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listener, { capture: true });
    return () => document.removeEventListener('keydown', listener, { capture: true });
  }, []);
}
