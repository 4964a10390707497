import { useState } from 'react';
import { manage } from '../../api/manage';
import { useDeed } from '../../api/use-deed';
import type { PartnerRef } from '../../parts/use-partner-choice';
import {
  type Draft,
  type Explanation,
  headersIn,
  sampleDraft,
  sampleScheme,
  sampleSecret,
  type Scheme,
  type Signed,
  withHeaders,
} from './workbench';

/** Settings and keys that requests are tried with. */
export interface Bench {
  readonly scheme: Scheme;
  readonly secret: string;
  /** Of RSA2 and ECDSA: the partner's, or one that was made for the sample. */
  readonly publicKey: string;
  /** A stored partner instead of the settings here. */
  readonly stored: PartnerRef | undefined;
}

/** The result, and its input. */
export interface Findings {
  readonly signed?: Signed | undefined;
  readonly explained?: Explanation | undefined;
  /** The kept request that was explained; absent: the one that is written here. */
  readonly exchangeId?: string | undefined;
}

const own = ({ scheme, secret, publicKey }: Bench): object => ({
  ...scheme,
  ...(scheme.algorithm === 'HMAC' ? { hmac_secret: secret } : publicKey !== '' && { partner_public_key: publicKey }),
});

const storedId = ({ kind, id }: PartnerRef): object => (kind === 'host-app' ? { client_id: id } : { app_id: id });

const explain = (body: object): Promise<Explanation> => manage('POST', '/signatures/explain', { body });

const requestOf = ({ method, target, headers, body }: Draft): object => ({ method, target, headers: headersIn(headers), body });

const explainDraft = (bench: Bench, draft: Draft): Promise<Explanation> =>
  explain({ request: requestOf(draft), ...(bench.stored ? storedId(bench.stored) : { signature: own(bench) }) });

/** Settings, request and findings of the workbench, and what can be done with them. */
export function useWorkbench() {
  const [bench, setBench] = useState<Bench>({ scheme: sampleScheme, secret: sampleSecret, publicKey: '', stored: undefined });
  const [draft, setDraft] = useState<Draft>(sampleDraft);
  const [findings, setFindings] = useState<Findings>({});

  const sign = useDeed(
    async () => {
      const { method, target, body } = draft;
      const settings = bench.stored ? storedId(bench.stored) : { signature: own(bench), throwaway_key: bench.scheme.algorithm !== 'HMAC' };
      const signed = await manage<Signed>('POST', '/signatures/sign', { body: { request: { method, target, body }, ...settings } });
      const filled = { ...draft, headers: withHeaders(draft.headers, signed.headers) };
      const tried = { ...bench, publicKey: signed.public_key ?? bench.publicKey };
      setDraft(filled);
      setBench(tried);
      setFindings({ signed, ...(signed.signature !== undefined && { explained: await explainDraft(tried, filled) }) });
    },
    { tells: false },
  );
  const check = useDeed(async () => setFindings({ signed: findings.signed, explained: await explainDraft(bench, draft) }), {
    tells: false,
  });
  const load = useDeed(async (exchangeId: string) => setFindings({ exchangeId, explained: await explain({ exchange_id: exchangeId }) }), {
    tells: false,
  });
  return { bench, setBench, draft, setDraft, findings, sign, check, load };
}

export type Workbench = ReturnType<typeof useWorkbench>;
