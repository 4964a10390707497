import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { ProblemAlert } from '../../../parts/problem-alert';
import { GraceField } from '../grace-field';
import { MadeSecret } from '../made-secret';
import type { StepProps } from './rotation';
import { useSetDryRun, type DryRunMode } from '../dry-run';
import { usePromote, useSignatureChange } from '../use-credentials';

/** When the new key replaces the current one. */
export function CutOverStep(props: StepProps) {
  const { rotation } = props;
  return (
    <Stack gap="sm" mt="md">
      {rotation.made !== undefined && <MadeSecret secret={rotation.made} />}
      {rotation.changesTo ? <ChangeMethod {...props} /> : <Promote {...props} />}
    </Stack>
  );
}

function Promote({ rotation, onDone }: StepProps) {
  const [graceS, setGraceS] = useState(86_400);
  const { mutateAsync, isPending, error } = usePromote(rotation.partner);
  const promote = async (): Promise<void> => {
    const body = { credential: rotation.credential, previous_valid_for_s: graceS };
    await mutateAsync(body).then(
      () => onDone(),
      () => undefined,
    );
  };
  return (
    <>
      <Text size="sm">
        Both keys are accepted now. Hand the new one over to the other side first, then promote it; or leave it waiting and promote it
        later, from its card.
      </Text>
      <GraceField seconds={graceS} onChange={setGraceS} />
      {error && <ProblemAlert error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => onDone()}>
          Leave it waiting
        </Button>
        <Button loading={isPending} onClick={() => void promote()}>
          Promote now
        </Button>
      </Group>
    </>
  );
}

type CutOverMode = DryRunMode | 'at-once';

const modes: readonly { readonly value: CutOverMode; readonly label: string }[] = [
  { value: 'observe', label: 'Try it first' },
  { value: 'accept', label: 'Accept both ways' },
  { value: 'at-once', label: 'At once' },
];

function ChangeMethod({ rotation, onDone }: StepProps) {
  const { partner, settings, changesTo, credential, value } = rotation;
  const [clientId, setClientId] = useState(settings.signature.api_client_id ?? partner.id);
  const [mode, setMode] = useState<CutOverMode>('accept');
  const change = useSignatureChange(partner);
  const dryRun = useSetDryRun(partner);
  const { error, isPending } = mode === 'at-once' ? change : dryRun;
  const go = async (): Promise<void> => {
    const signature = { enabled: true, algorithm: changesTo, api_client_id: clientId.trim(), [credential]: value };
    const begun = mode === 'at-once' ? change.mutateAsync(signature) : dryRun.mutateAsync({ mode, signature });
    await begun.then(
      (answer) => onDone({ ...('key_slot' in answer && { dryRunKey: answer.key_slot === 'next' ? 'next' : 'current' }) }),
      () => undefined,
    );
  };
  return (
    <>
      <SegmentedControl aria-label="How to go over" data={[...modes]} value={mode} onChange={(chosen) => setMode(chosen)} />
      <ModeHint mode={mode} name={partner.name} method={changesTo ?? ''} />
      <TextInput
        label="API client id"
        description="What the partner names itself in the signed text"
        maxLength={64}
        value={clientId}
        onChange={(event) => setClientId(event.currentTarget.value)}
      />
      {error && <ProblemAlert error={error} />}
      <Group justify="flex-end">
        <Button loading={isPending} disabled={clientId.trim() === ''} onClick={() => void go()}>
          {mode === 'at-once' ? `Change to ${changesTo ?? ''} now` : mode === 'accept' ? 'Accept both ways' : 'Try it on calls'}
        </Button>
      </Group>
    </>
  );
}

function ModeHint({ mode, name, method }: { readonly mode: CutOverMode; readonly name: string; readonly method: string }) {
  if (mode === 'at-once') {
    return (
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle />} title="This takes effect at once, in both directions">
        From then on calls of {name} must be signed with {method}, and Pierhead signs its calls to it. Agree on the moment; in the workbench
        the other side can try its code before.
      </Alert>
    );
  }
  const text =
    mode === 'accept'
      ? `From now on calls of ${name} are let in where they fit either way. Nothing is refused that passes today; promote when all have gone over.`
      : `Calls of ${name} are checked both ways, and the present one alone decides. The report says which calls would have been refused.`;
  return <Text size="sm">{text}</Text>;
}
