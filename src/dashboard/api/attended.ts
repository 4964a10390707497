/** Milliseconds after which a page that nobody touched is taken to be alone. */
const aloneMs = 5 * 60_000;

let touchedAt = Date.now();
for (const sign of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const) {
  document.addEventListener(sign, () => void (touchedAt = Date.now()), { capture: true, passive: true });
}

/** Says of what the page asks by itself, while nobody is at it, that it is no use of the session. */
export const unattended = (): Readonly<Record<string, string>> => (Date.now() - touchedAt > aloneMs ? { 'X-Unattended': '1' } : {});
