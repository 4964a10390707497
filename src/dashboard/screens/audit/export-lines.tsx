import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { manage } from '../../api/manage';
import { useAction } from '../../api/use-action';
import type { Page } from '../../api/use-records';
import { plural } from '../../parts/plural';
import { useRange } from '../../parts/range/use-range';
import { filtersIn } from '../../parts/records/filters';
import { readAll } from '../../parts/records/csv';
import { saveFile } from '../../parts/records/save-file';
import { auditFilters } from './audit-filters';
import type { AuditEntry } from './changes';

/** Saves the matching entries as JSON lines: up to 10,000. */
export function ExportLines() {
  const [search] = useSearchParams();
  const range = useRange();
  const save = useAction(
    async () => {
      const query = { ...filtersIn(search, auditFilters), ...range.query(), limit: 200 };
      const { rows, isCut } = await readAll<AuditEntry>((cursor) =>
        manage<Page<AuditEntry>>('GET', '/audit', { query: { ...query, cursor } }),
      );
      saveFile('audit-log.jsonl', rows.map((row) => JSON.stringify(row)).join('\n') + '\n', 'application/x-ndjson');
      return { count: rows.length, isCut };
    },
    {
      done: ({ count, isCut }) =>
        `${plural(count, 'entry', 'entries')} saved${isCut ? '; there are more: choose a shorter time range' : ''}`,
    },
  );
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      JSONL
    </Button>
  );
}
