import type { Placeholder } from '../../domain/credentials/signing/signing-template';
import { prepareSigning, timestampText } from '../../domain/credentials/signing/signing-string';
import type { Bench, Twist } from '../bench';
import { headerOf, withBody, withHeader, withoutHeader, type Change } from '../changes';
import type { RunState } from '../run-state';
import { DoesNotApply } from '../verdict';
import { kindOf, type Tried } from './calls';

/** Throws DoesNotApply without signing, or where the agreed template does not sign that part. */
export function requireSigned({ context: { signature } }: Bench, ...parts: readonly Placeholder[]): void {
  if (!signature.enabled) throw new DoesNotApply('no request signing is agreed on');
  const { uses } = prepareSigning(signature);
  for (const part of parts) if (!uses.has(part)) throw new DoesNotApply(`the agreed payload_template does not sign {${part}}`);
}

export type TwistOf = (bench: Bench) => Twist;

export const refuses =
  (tried: Tried, twist: TwistOf, ...parts: readonly Placeholder[]) =>
  async (bench: Bench, state: RunState): Promise<void> => {
    requireSigned(bench, ...parts);
    await bench.refused(await state.good(kindOf(bench.context, tried), bench), twist(bench));
  };

/** Signs with a clock that is this many seconds fast. */
export const clockFast =
  (seconds: number): TwistOf =>
  ({ context: { signature } }) => ({
    before: withHeader(signature.headerNames.timestamp, timestampText(Date.now() + seconds * 1000, prepareSigning(signature))),
  });

export const takes =
  (twist: TwistOf) =>
  async (bench: Bench, state: RunState): Promise<void> => {
    requireSigned(bench, 'timestamp');
    await bench.accepted(await state.good(kindOf(bench.context, 'lead'), bench), twist(bench));
  };

/** Changes the signature header. */
export const withSignature =
  (change: (text: string) => string): TwistOf =>
  ({ context }) => ({
    after: (draft) => {
      const { signature: name } = context.signature.headerNames;
      return withHeader(name, change(headerOf(draft, name) ?? ''))(draft);
    },
  });

export const without =
  (member: 'signature' | 'timestamp' | 'clientId' | 'nonce'): TwistOf =>
  ({ context }) => ({ after: withoutHeader(context.signature.headerNames[member]) });

export const withChanged =
  (member: 'timestamp' | 'clientId' | 'nonce', value: (text: string) => string): TwistOf =>
  ({ context }) => ({
    after: (draft) => {
      const name = context.signature.headerNames[member];
      return withHeader(name, value(headerOf(draft, name) ?? ''))(draft);
    },
  });

/** Adds a member to the body after signing. */
export const tampered: Change = (draft) => {
  const text = new TextDecoder().decode(draft.body);
  return withBody(text.replace(/^\{/, '{"conformance_tampered":true,'))(draft);
};

export const flipped = (text: string): string => {
  const at = Math.floor(text.length / 2);
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
};

export const incremented = (text: string): string => String(BigInt(/^\d+$/.test(text) ? text : '0') + 1n);
