import { Alert, Button, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { Problem } from '../../api/problem';
import { CodeBlock } from '../../parts/code-block';
import { ProblemAlert } from '../../parts/problem-alert';
import type { CredentialKind } from './credential';
import type { Rotation, StepProps } from './rotation';
import { useRotate } from './use-credentials';

/** The new key: made by the platform, made here, or pasted. It waits as the next one; nothing is replaced yet. */
export function KeyStep({ rotation, onDone }: StepProps) {
  const { credential, changesTo } = rotation;
  const [value, setValue] = useState('');
  const [isOurs, setOurs] = useState(makerOf(credential) !== 'partner');
  const { mutateAsync, isPending, error } = useRotate(rotation.partner);
  const text = isOurs ? '' : value.trim();
  const refusal = error instanceof Problem ? error.errors.find(({ path }) => path === 'value') : undefined;
  const stage = async (): Promise<void> => {
    if (changesTo) {
      onDone({ value: text });
      return;
    }
    const changed = await mutateAsync({ credential, slot: 'next', ...(text !== '' && { value: text }) }).catch(() => undefined);
    if (changed) onDone({ value: text, ...(changed.secret_key !== undefined && { made: changed.secret_key }) });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void stage();
      }}
    >
      <Stack gap="sm" mt="md">
        <Hint rotation={rotation} />
        {makerOf(credential) === 'either' && <MakerSwitch isOurs={isOurs} onChange={setOurs} />}
        {!isOurs && <ValueField credential={credential} value={value} onChange={setValue} refusal={refusal?.rule} />}
        {error && !refusal && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={isPending} disabled={!isOurs && text === ''}>
            {changesTo ? 'Continue' : isOurs ? 'Make the next key' : 'Store as the next key'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Who makes a value: the platform alone, the partner alone, or whoever likes. */
function makerOf(credential: CredentialKind): 'platform' | 'partner' | 'either' {
  if (credential === 'platform_key') return 'platform';
  return credential === 'secret_key' ? 'either' : 'partner';
}

function MakerSwitch({ isOurs, onChange }: { readonly isOurs: boolean; readonly onChange: (isOurs: boolean) => void }) {
  return (
    <SegmentedControl
      aria-label="Who makes it"
      value={isOurs ? 'ours' : 'theirs'}
      data={[
        { value: 'ours', label: 'Let Pierhead make it' },
        { value: 'theirs', label: 'Paste one' },
      ]}
      onChange={(value) => onChange(value === 'ours')}
    />
  );
}

function Hint({ rotation: { credential, changesTo } }: { readonly rotation: Rotation }) {
  if (credential === 'partner_public_key') {
    return (
      <>
        <Text size="sm">Make a new key pair where it will be used, and paste its public key. The private key never leaves its owner.</Text>
        <CodeBlock text={changesTo === 'ECDSA' ? ecCommand : rsaCommand} what="command that makes a key pair" wraps />
      </>
    );
  }
  const texts: Readonly<Partial<Record<CredentialKind, string>>> = {
    platform_key: 'Pierhead makes a new key pair and publishes its public key at once. It signs with it only after you promote it.',
    secret_key: 'The new secret key is accepted beside the present one from now on. It is shown once.',
    hmac_secret:
      'Both sides need the same secret. It is accepted from now on beside the present one; Pierhead signs with it after the cut-over.',
    host_app_secret_key: 'The host app makes this secret for Pierhead to call it with. Paste the new one; it is used after the cut-over.',
  };
  return <Text size="sm">{texts[credential]}</Text>;
}

const rsaCommand =
  'openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:3072 -out private-key.pem && openssl pkey -in private-key.pem -pubout';
const ecCommand =
  'openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out private-key.pem && openssl pkey -in private-key.pem -pubout';

interface ValueFieldProps {
  readonly credential: CredentialKind;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly refusal: string | undefined;
}

function ValueField({ credential, value, onChange, refusal }: ValueFieldProps) {
  const isKey = credential === 'partner_public_key';
  return (
    <>
      <Textarea
        data-autofocus
        required
        label={isKey ? 'New public key' : 'New secret'}
        description={isKey ? 'PEM, DER in base64, or a JWK' : 'As both sides will use it'}
        autosize
        minRows={isKey ? 6 : 2}
        maxRows={14}
        value={value}
        error={refusal && `This ${refusal}`}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {credential === 'hmac_secret' && (
        <Group gap="xs">
          <Button variant="default" size="compact-sm" onClick={() => onChange(newSecret())}>
            Generate one here
          </Button>
          <Text size="sm" c="dimmed">
            32 random bytes, made in this browser
          </Text>
        </Group>
      )}
      {value.includes('PRIVATE KEY') && (
        <Alert color="red" variant="light" icon={<IconInfoCircle />} title="That is a private key">
          Do not store it anywhere: make a new pair, and paste the public key alone.
        </Alert>
      )}
    </>
  );
}

const newSecret = (): string => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
