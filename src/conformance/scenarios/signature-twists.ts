import type { Placeholder } from '../../domain/credentials/signing-template';
import { prepareSigning, timestampText } from '../../domain/credentials/signing-string';
import type { Bench, Twist } from '../bench';
import { headerOf, withBody, withHeader, withoutHeader, type Change } from '../changes';
import type { RunState } from '../run-state';
import { DoesNotApply } from '../verdict';
import { kindOf, type Tried } from './calls';

/** Throws DoesNotApply without signing, or where the agreed template does not sign that part. */
export function requireSigned({ facts: { signature } }: Bench, ...parts: readonly Placeholder[]): void {
  if (!signature.enabled) throw new DoesNotApply('no request signing is agreed on');
  const { uses } = prepareSigning(signature);
  for (const part of parts) if (!uses.has(part)) throw new DoesNotApply(`the agreed payload_template does not sign {${part}}`);
}

export type TwistOf = (bench: Bench) => Twist;

export const refuses =
  (tried: Tried, twist: TwistOf, ...parts: readonly Placeholder[]) =>
  async (bench: Bench, state: RunState): Promise<void> => {
    requireSigned(bench, ...parts);
    await bench.refused(await state.good(kindOf(bench.facts, tried), bench), twist(bench));
  };

/** Signed with a clock that is so many seconds fast. */
export const clockFast =
  (seconds: number): TwistOf =>
  ({ facts: { signature } }) => ({
    before: withHeader(signature.headerNames.timestamp, timestampText(Date.now() + seconds * 1000, prepareSigning(signature))),
  });

export const takes =
  (twist: TwistOf) =>
  async (bench: Bench, state: RunState): Promise<void> => {
    requireSigned(bench, 'timestamp');
    await bench.accepted(await state.good(kindOf(bench.facts, 'lead'), bench), twist(bench));
  };

/** The signature header, made different. */
export const withSignature =
  (change: (text: string) => string): TwistOf =>
  ({ facts }) => ({
    after: (draft) => {
      const { signature: name } = facts.signature.headerNames;
      return withHeader(name, change(headerOf(draft, name) ?? ''))(draft);
    },
  });

export const without =
  (member: 'signature' | 'timestamp' | 'clientId' | 'nonce'): TwistOf =>
  ({ facts }) => ({ after: withoutHeader(facts.signature.headerNames[member]) });

export const withChanged =
  (member: 'timestamp' | 'clientId' | 'nonce', value: (text: string) => string): TwistOf =>
  ({ facts }) => ({
    after: (draft) => {
      const name = facts.signature.headerNames[member];
      return withHeader(name, value(headerOf(draft, name) ?? ''))(draft);
    },
  });

/** One member more in the body than was signed. */
export const tampered: Change = (draft) => {
  const text = new TextDecoder().decode(draft.body);
  return withBody(text.replace(/^\{/, '{"conformance_tampered":true,'))(draft);
};

export const flipped = (text: string): string => {
  const at = Math.floor(text.length / 2);
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
};

export const later = (text: string): string => String(BigInt(/^\d+$/.test(text) ? text : '0') + 1n);
