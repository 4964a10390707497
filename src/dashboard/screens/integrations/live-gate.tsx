import { Alert, Button, Text } from '@mantine/core';
import { IconRocket } from '@tabler/icons-react';
import { useState } from 'react';
import { manage } from '../../api/manage';
import { useSession } from '../../api/session';
import { useAction } from '../../api/use-action';
import { ConfirmAction } from '../../parts/confirm-action';
import { plural } from '../../parts/plural';
import { TimeText } from '../../parts/time-text';
import type { Readiness } from './readiness';

/** Whether the integration is live, with buttons to go live and back. */
export function LiveGate({ path, readiness: { mode, live, items } }: { readonly path: string; readonly readiness: Readiness }) {
  const { role, viewAs } = useSession();
  const [isConfirming, setConfirming] = useState(false);
  const missing = items.filter(({ state }) => state === 'missing' || state === 'failing');
  const isLive = mode === 'live';
  const change = useAction(
    (reason: string) => manage('POST', `${path}/${isLive ? 'back-to-test' : 'go-live'}`, { body: reason === '' ? {} : { reason } }),
    { touches: [path, '/integrations'], done: isLive ? 'The integration is in test' : 'The integration is live', showsErrors: false },
  );
  const word = isLive ? 'Back to test' : missing.length > 0 ? 'Go live all the same' : 'Go live';
  return (
    <Alert
      mt="md"
      variant="light"
      color={isLive ? 'blue' : missing.length > 0 ? 'yellow' : 'teal'}
      icon={<IconRocket />}
      title={<GateTitle isLive={isLive} />}
    >
      <LiveWords live={live} missing={missing.length} />
      {role === 'operator' && !viewAs && (
        <Button size="compact-sm" variant={isLive || missing.length > 0 ? 'default' : 'filled'} onClick={() => setConfirming(true)}>
          {word}
        </Button>
      )}
      <ConfirmAction
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={word}
        action={word}
        {...((isLive || missing.length > 0) && { reason: 'required' as const })}
        onConfirm={(reason) => change.mutateAsync(reason)}
      >
        {isLive
          ? 'It is shown as in test again; its traffic goes on.'
          : missing.map(({ title }) => title).join('; ') || 'All of the checklist is done.'}
      </ConfirmAction>
    </Alert>
  );
}

function LiveWords({ live, missing }: { readonly live: Readiness['live']; readonly missing: number }) {
  const words =
    missing > 0
      ? `${plural(missing, 'point')} of the checklist ${missing === 1 ? 'is' : 'are'} open: to go live takes a reason.`
      : 'Everything is proven.';
  return (
    <Text size="sm" component="div" mb="xs">
      {live && (
        <>
          Since <TimeText at={live.at} as="whole" />
          {live.reason !== undefined && `, for this reason: ${live.reason}`}
        </>
      )}
      {!live && words}
    </Text>
  );
}

/** In the page's text colour, because the background is tinted. */
const GateTitle = ({ isLive }: { readonly isLive: boolean }) => (
  <Text span size="sm" fw={600} c="var(--mantine-color-text)">
    {isLive ? 'Live' : 'In test'}
  </Text>
);
