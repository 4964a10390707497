/** Milliseconds without input after which the page counts as unattended. */
const aloneMs = 5 * 60_000;

let touchedAt = Date.now();
for (const sign of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const) {
  document.addEventListener(sign, () => void (touchedAt = Date.now()), { capture: true, passive: true });
}

/** The header for requests of an unattended page, so that they do not prolong the session. */
export const unattended = (): Readonly<Record<string, string>> => (Date.now() - touchedAt > aloneMs ? { 'X-Unattended': '1' } : {});
