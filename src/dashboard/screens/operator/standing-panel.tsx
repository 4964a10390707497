import { Accordion, List, Text } from '@mantine/core';
import { useRecord } from '../../api/use-record';
import { DetailList } from '../../parts/detail-list';
import { Panel } from '../../parts/panel';
import { plural } from '../../parts/plural';
import { ProblemAlert } from '../../parts/problem-alert';
import { StateBadge } from '../../parts/state-badge';
import { sizeWords, type Standing } from './operator-model';

/** Versions, the database, and its migrations. */
export function StandingPanel() {
  const { data, error, refetch } = useRecord<Standing>('/operations/database', { everyMs: 30_000 });
  return (
    <Panel title="Versions and database">
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data && <StandingDetails standing={data} />}
    </Panel>
  );
}

function AuditTrailBadge({ isProtected }: { readonly isProtected: boolean }) {
  return <StateBadge tone={isProtected ? 'good' : 'warn'}>{isProtected ? 'protected' : 'not protected'}</StateBadge>;
}

function StandingDetails({ standing: { version, database } }: { readonly standing: Standing }) {
  const { applied, pending, unknown } = database.migrations;
  const state = pending.length > 0 ? `${String(pending.length)} pending` : unknown.length > 0 ? 'a later version migrated' : 'up to date';
  return (
    <>
      <DetailList
        items={[
          ['Pierhead', version],
          ['Postgres', database.version],
          ['Database size', sizeWords(database.size_bytes)],
          ['Connections', `${String(database.connections)} of ${String(database.max_connections)}`],
          ['Audit trail', <AuditTrailBadge key="a" isProtected={database.audit_trail_protected} />],
          [
            'Migrations',
            <StateBadge key="m" tone={pending.length + unknown.length > 0 ? 'warn' : 'good'}>
              {state}
            </StateBadge>,
          ],
        ]}
      />
      <Accordion variant="contained" mt="sm">
        <Accordion.Item value="migrations">
          <Accordion.Control>
            <Text size="sm">{plural(applied.length, 'migration')} applied</Text>
          </Accordion.Control>
          <Accordion.Panel>
            <List size="xs" spacing={2} ff="monospace">
              {[...pending.map((name) => `${name} (pending)`), ...[...applied].reverse()].map((name) => (
                <List.Item key={name}>{name}</List.Item>
              ))}
            </List>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </>
  );
}
