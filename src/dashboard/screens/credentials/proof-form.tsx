import { Button, Group, Skeleton, Stack, Text, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Problem } from '../../api/problem';
import { CodeBlock } from '../../parts/code-block';
import { ProblemAlert } from '../../parts/problem-alert';
import { TimeText } from '../../parts/time-text';
import type { PartnerRef } from '../../parts/use-partner-choice';
import { type Challenge, useChallenge, useProve } from './use-credentials';

interface ProofFormProps {
  readonly partner: PartnerRef;
  readonly credential: 'hmac_secret' | 'partner_public_key';
  readonly slot: 'current' | 'next';
  readonly onProved: () => void;
}

/** Requests a challenge, explains how to sign it, and accepts the signature. */
export function ProofForm({ partner, credential, slot, onProved }: ProofFormProps) {
  const { mutate, data, error } = useChallenge(partner);
  useEffect(() => {
    mutate({ credential, slot });
  }, [mutate, credential, slot]);
  if (error) return <ProblemAlert error={error} onRetry={() => mutate({ credential, slot })} />;
  if (!data) return <Skeleton height={180} />;
  return (
    <Stack gap="sm">
      <Text size="sm">
        1. Sign this text with the new key, where it will be used. It can be answered until <TimeText at={data.expires_at} />.
      </Text>
      <CodeBlock text={data.challenge} what="challenge" wraps />
      <Text size="sm">For example in a shell:</Text>
      <CodeBlock text={commandFor(data)} what="signing command" wraps />
      <AnswerField partner={partner} credential={credential} slot={slot} challenge={data} onProved={onProved} />
    </Stack>
  );
}

function commandFor({ challenge, algorithm, hash }: Challenge): string {
  const digest = `printf %s '${challenge}' | openssl dgst -${hash.toLowerCase().replace('-', '')}`;
  return `${digest} ${algorithm === 'HMAC' ? '-hmac "$HMAC_SECRET" -binary' : '-sign private-key.pem'} | base64 -w0`;
}

function AnswerField({ partner, credential, slot, challenge, onProved }: ProofFormProps & { readonly challenge: Challenge }) {
  const [signature, setSignature] = useState('');
  const { mutateAsync, isPending, error } = useProve(partner);
  const refusal = error instanceof Problem ? error.errors.find(({ path }) => path === 'signature' || path === 'challenge') : undefined;
  const prove = async (): Promise<void> => {
    await mutateAsync({ credential, slot, challenge: challenge.challenge, signature: signature.trim() }).then(onProved, () => undefined);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void prove();
      }}
    >
      <Stack gap="sm">
        <Textarea
          label="2. Paste the signature"
          description="base64, base64url or hex"
          autosize
          minRows={2}
          value={signature}
          error={refusal && `The ${refusal.path} ${refusal.rule}`}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onChange={(event) => setSignature(event.currentTarget.value)}
        />
        {error && !refusal && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={isPending} disabled={signature.trim() === ''}>
            Check the proof
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
