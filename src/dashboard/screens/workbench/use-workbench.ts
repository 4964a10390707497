import { useState } from 'react';
import { manage } from '../../api/manage';
import { useAction } from '../../api/use-action';
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

/** Settings and keys for trying requests. */
export interface Bench {
  readonly scheme: Scheme;
  readonly secret: string;
  /** For RSA2 and ECDSA: the partner's key, or one generated for the sample. */
  readonly publicKey: string;
  /** A stored partner whose settings replace those above. */
  readonly stored: PartnerRef | undefined;
}

/** The result and its input. */
export interface Findings {
  readonly signed?: Signed | undefined;
  readonly explained?: Explanation | undefined;
  /** The kept request that was explained. Absent when the request was written here. */
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

/** Settings, request and results of the workbench, and its actions. */
export function useWorkbench() {
  const [bench, setBench] = useState<Bench>({ scheme: sampleScheme, secret: sampleSecret, publicKey: '', stored: undefined });
  const [draft, setDraft] = useState<Draft>(sampleDraft);
  const [findings, setFindings] = useState<Findings>({});

  const sign = useAction(
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
    { showsErrors: false },
  );
  const check = useAction(async () => setFindings({ signed: findings.signed, explained: await explainDraft(bench, draft) }), {
    showsErrors: false,
  });
  const load = useAction(async (exchangeId: string) => setFindings({ exchangeId, explained: await explain({ exchange_id: exchangeId }) }), {
    showsErrors: false,
  });
  return { bench, setBench, draft, setDraft, findings, sign, check, load };
}

export type Workbench = ReturnType<typeof useWorkbench>;
