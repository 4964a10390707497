import { useEffect, useState } from 'react';

/** Within a dialog: gives the focus back to what opened it, also where the dialog goes away as a whole and does not close. */
export function ReturnFocus() {
  // While it is drawn for the first time, the dialog has not taken the focus yet.
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    },
    [before],
  );
  return null;
}
