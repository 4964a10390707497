import type { AskClaim, AskEnd } from '../../../domain/payments/payment-asks';

/** What the polls of one host app say of it. */
interface HostAppNote {
  /** The troubles that it had when they began; of an earlier poll nothing counts. */
  troubles: number;
  answers: number;
  mostPerSecond: number;
  isReached: boolean;
  isTroubled: boolean;
  isAway: boolean;
  quietMs: number;
}

/** The parameters of `noteHostApps`, one row for each host app; `undefined`: nothing is to be noted. */
export function hostAppNotes(
  ended: readonly { readonly claim: AskClaim; readonly end: AskEnd }[],
): readonly (readonly unknown[])[] | undefined {
  const notes = new Map<string, HostAppNote>();
  for (const { claim, end } of ended) {
    if (saysNothing(claim, end)) continue;
    const known = notes.get(claim.clientId);
    if (!known || known.troubles < claim.turn.troubles) notes.set(claim.clientId, noteOf(claim, end));
    else if (known.troubles === claim.turn.troubles) addTo(known, noteOf(claim, end));
  }
  if (notes.size === 0) return undefined;
  const all = [...notes.values()];
  return [
    [...notes.keys()],
    ...[all.map((note) => note.troubles), all.map((note) => note.answers), all.map((note) => note.mostPerSecond)],
    ...[all.map((note) => note.isReached), all.map((note) => note.isTroubled), all.map((note) => note.isAway)],
    all.map((note) => note.quietMs),
  ];
}

/** Most answers change nothing, and need no statement. */
const saysNothing = ({ turn }: AskClaim, { askedAt, trouble, isWell }: AskEnd): boolean =>
  !trouble && (askedAt === undefined || (turn.failures === 0 && !(isWell && turn.isFull)));

const noteOf = ({ turn }: AskClaim, { askedAt, trouble, isWell }: AskEnd): HostAppNote => ({
  troubles: turn.troubles,
  answers: isWell && turn.isFull ? 1 : 0,
  mostPerSecond: turn.mostPerSecond,
  isReached: !trouble && askedAt !== undefined,
  isTroubled: trouble !== undefined,
  isAway: trouble?.isAway ?? false,
  quietMs: trouble?.quietMs ?? 0,
});

function addTo(note: HostAppNote, other: HostAppNote): void {
  note.answers += other.answers;
  note.isReached ||= other.isReached;
  note.isTroubled ||= other.isTroubled;
  note.isAway ||= other.isAway;
  note.quietMs = Math.max(note.quietMs, other.quietMs);
}
