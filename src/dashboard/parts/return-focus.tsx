import { useEffect, useState } from 'react';

/** Inside a dialog: returns the focus to the element that opened it, even when the dialog is unmounted without closing. */
export function ReturnFocus() {
  // During its first render, the dialog has not taken the focus yet.
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    },
    [before],
  );
  return null;
}
