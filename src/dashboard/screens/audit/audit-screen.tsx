import { Button, Code, Drawer, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import { EmptyState } from '../../parts/empty-state';
import { DetailList } from '../../parts/detail-list';
import { PageHead } from '../../parts/page-head';
import type { Column } from '../../parts/records/columns';
import { RecordList } from '../../parts/records/record-list';
import { ShortId } from '../../parts/short-id';
import { TimeText } from '../../parts/time-text';
import { useSession } from '../../api/session';
import { auditFilters } from './audit-filters';
import { ChainCheck } from './chain-check';
import { type AuditEntry, changesOf, reasonOf } from './changes';
import { ChangeTable } from './change-table';
import { ExportLines } from './export-lines';

const columns: readonly Column<AuditEntry>[] = [
  { id: 'at', title: 'Time', show: ({ at }) => <TimeText at={at} />, text: ({ at }) => at, card: 'head' },
  { id: 'actor', title: 'Who', show: ({ actor }) => actor, text: ({ actor }) => actor, card: 'side' },
  { id: 'action', title: 'What', show: ({ action }) => action, text: ({ action }) => action },
  {
    ...{ id: 'subject', title: 'Subject' },
    show: ({ subject }) => (
      <Text span ff="monospace" size="xs" style={{ overflowWrap: 'break-word' }}>
        {piecesOf(subject)}
      </Text>
    ),
    text: ({ subject }) => subject,
  },
  { id: 'changes', title: 'Changes', show: (entry) => summaryOf(entry), text: (entry) => summaryOf(entry) },
  { id: 'reason', title: 'Reason', show: (entry) => reasonOf(entry) ?? '–', text: (entry) => reasonOf(entry) },
  {
    ...{ id: 'request_id', title: 'Request', hidden: true },
    show: ({ request_id: id }) => <ShortId id={id} what="request id" />,
    text: ({ request_id: id }) => id,
  },
  { id: 'hash', title: 'Hash', hidden: true, show: ({ hash }) => <ShortId id={hash} what="hash" />, text: ({ hash }) => hash },
];

/** Changes with their author, time and reason, chained so that tampering is visible. */
export default function AuditScreen() {
  const [opened, setOpened] = useState<AuditEntry>();
  const { role } = useSession();
  return (
    <>
      <PageHead title="Audit log" lead="Every change, with what was before and after. Secrets appear as fingerprints." />
      <Stack gap="lg">
        {role === 'operator' && <ChainCheck />}
        <RecordList<AuditEntry>
          {...{ title: 'Audit log', path: '/audit', ranged: true, live: 'audit', filters: auditFilters, columns }}
          idOf={({ id }) => id}
          actionsOf={(entry) => (
            <Button size="compact-sm" variant="subtle" onClick={() => setOpened(entry)} aria-label={`Details of ${entry.action}`}>
              Details
            </Button>
          )}
          tools={<ExportLines />}
          empty={
            <EmptyState icon={IconHistory} title="No change in this range">
              Whatever is created, changed, rotated, resent or drained appears here, with who did it. Choose a longer time range to look
              further back.
            </EmptyState>
          }
        />
      </Stack>
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        position="right"
        size="lg"
        title={opened?.action}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened && <EntryDetail entry={opened} />}
      </Drawer>
    </>
  );
}

/** Lets a subject, `integration:host_…/app_…`, wrap only between its names. */
const piecesOf = (subject: string) =>
  subject.split(/(?<=[:/])/).map((piece) => (
    <Fragment key={piece}>
      {piece}
      <wbr />
    </Fragment>
  ));

function summaryOf(entry: AuditEntry): string {
  const changes = changesOf(entry);
  if (changes.length === 0) return '–';
  const names = changes.slice(0, 3).map(({ name }) => name);
  return changes.length > 3 ? `${names.join(', ')} and ${String(changes.length - 3)} more` : names.join(', ');
}

function EntryDetail({ entry }: { readonly entry: AuditEntry }) {
  return (
    <Stack gap="md">
      <DetailList
        items={[
          ['Time', <TimeText key="t" at={entry.at} as="precise" />],
          ['Who', entry.actor],
          ['Subject', <Code key="s">{entry.subject}</Code>],
          ['Reason', reasonOf(entry)],
          ['Request', <ShortId key="r" id={entry.request_id} what="request id" />],
          ['Entry', entry.id],
          ['Hash', <ShortId key="h" id={entry.hash} what="hash" ends={12} />],
        ]}
      />
      <ChangeTable changes={changesOf(entry)} />
    </Stack>
  );
}
