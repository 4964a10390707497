/** A text of about so many characters. */
export type TextOf = (length: number) => string;

/** Lengths that are tried, the short ones first: exponential time is found out before it stands still for good. */
const lengths = [24, 200, 2_000, 20_000];
/** What takes less is worth no second look; a linear pass over the longest text takes a tenth of it. */
const suspiciousMs = 20;
/** Four times the length takes four times as long where time is linear, sixteen times where it is quadratic. */
const quadratic = 9;

/**
 * Whether a function's time grows faster than its text: the time of a text of a quarter of the length, times at least nine.
 * Only what takes 20 ms at all is measured closer, in the best of five: a busy machine alone makes nothing suspicious.
 */
export function growsFaster(run: (text: string) => void, textOf: TextOf): boolean {
  for (const length of lengths) {
    const text = textOf(length);
    if (processorMs(() => run(text)) < suspiciousMs) continue;
    const [short, long] = [best(run, textOf(Math.ceil(length / 4))), best(run, text)];
    if (long >= suspiciousMs && long >= short * quadratic) return true;
  }
  return false;
}

function best(run: (text: string) => void, text: string): number {
  let least = Infinity;
  for (let i = 0; i < 5; i++)
    least = Math.min(
      least,
      processorMs(() => run(text)),
    );
  return least;
}

/** Processor time of this process: what others take of the machine does not count. */
function processorMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
