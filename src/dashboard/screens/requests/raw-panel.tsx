import { Button, Stack, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { manage, pathOf } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { CodeBlock } from '../../parts/code-block';
import { Panel } from '../../parts/panel';
import type { ExchangeDetail } from './request-model';

interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body_base64: string;
}

/** The stored data of a call and, for a day, a refused request. Reading that leaves an audit entry. */
export function RawPanel({ exchange: { id, explainable } }: { readonly exchange: ExchangeDetail }) {
  const raw = useAction(() => manage<RawRequest>('POST', `${pathOf('exchanges', id)}/raw`), { touches: ['/audit'] });
  return (
    <Panel title="As it came in">
      {raw.data ? (
        <CodeBlock text={messageOf(raw.data)} what="request" wraps />
      ) : (
        <Stack gap="sm" align="flex-start">
          <Text size="sm" c="dimmed">
            {explainable
              ? 'The request is kept for a day, as its signature was refused. Who looks at it stands in the audit log.'
              : 'Headers and bodies are kept of calls alone whose signature was refused, for a day: they hold what belongs to users and partners.'}
          </Text>
          {explainable && (
            <Button variant="default" size="xs" leftSection={<IconEye size={14} />} loading={raw.isPending} onClick={() => raw.mutate()}>
              Show raw request
            </Button>
          )}
        </Stack>
      )}
    </Panel>
  );
}

function messageOf({ method, target, headers, body_base64 }: RawRequest): string {
  const bytes = Uint8Array.from(atob(body_base64), (character) => character.charCodeAt(0));
  return [`${method} ${target}`, ...headers.map(([name, value]) => `${name}: ${value}`), '', new TextDecoder().decode(bytes)].join('\n');
}
