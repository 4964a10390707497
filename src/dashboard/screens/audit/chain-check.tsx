import { Alert, Button, Group, Text } from '@mantine/core';
import { IconLink, IconLinkOff } from '@tabler/icons-react';
import { manage } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { plural } from '../../parts/plural';
import { ProblemAlert } from '../../parts/problem-alert';
import { ShortId } from '../../parts/short-id';

interface Verdict {
  readonly whole: boolean;
  readonly entries: number;
  readonly last?: { readonly id: string; readonly hash: string };
  readonly broken?: { readonly id: string; readonly cause: string };
}

/** Verifies the whole chain on a click, and reports whether every entry is unaltered. */
export function ChainCheck() {
  const check = useAction(() => manage<Verdict>('GET', '/audit/verify'), { showsErrors: false });
  const verdict = check.data;
  return (
    <Group gap="md" align="center">
      <Button variant="default" leftSection={<IconLink size={16} aria-hidden />} loading={check.isPending} onClick={() => check.mutate()}>
        Verify chain
      </Button>
      {!verdict && !check.error && (
        <Text size="sm" c="dimmed">
          Each entry holds the hash of the one before it.
        </Text>
      )}
      {check.error && <ProblemAlert error={check.error} />}
      {verdict && <VerdictLine verdict={verdict} />}
    </Group>
  );
}

function VerdictLine({ verdict: { whole, entries, last, broken } }: { readonly verdict: Verdict }) {
  if (!whole)
    return (
      <Alert color="red" icon={<IconLinkOff size={18} />} title={`The chain is broken at entry ${broken?.id ?? '?'}`} role="alert">
        {broken?.cause.replaceAll('-', ' ')}. {plural(entries, 'entry', 'entries')} before it{' '}
        {entries === 1 ? 'is as it was' : 'are as they were'} written.
      </Alert>
    );
  return (
    <Group gap="xs" role="status">
      <Text size="sm" c="teal.8" fw={600} className="chain-whole">
        ✓ Whole: {plural(entries, 'entry', 'entries')}
      </Text>
      {last && <ShortId id={last.hash} what="last hash" />}
    </Group>
  );
}
