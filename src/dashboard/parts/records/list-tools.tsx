import { ActionIcon, Button, Checkbox, Group, Popover, Stack, Tooltip } from '@mantine/core';
import { IconColumns3, IconDownload } from '@tabler/icons-react';
import { manage, type Query } from '../../api/manage';
import { useAction } from '../../api/use-action';
import type { Page } from '../../api/use-records';
import { notify } from '../notices';
import { useRange } from '../range/use-range';
import { shownColumns, type Column } from './columns';
import { csvText, maxExported, readAll } from './csv';
import type { Filter } from './filters';
import { saveFile } from './save-file';
import { SavedViews } from './saved-views';
import type { ColumnChoice } from './use-column-choice';
import { plural } from '../plural';

interface ListToolsProps<Row> {
  readonly title: string;
  readonly path: string;
  readonly columns: readonly Column<Row>[];
  readonly choice: ColumnChoice;
  readonly query: Query;
  readonly ranged: boolean;
  readonly filters: readonly Filter[];
}

/** Views, columns and export of a list. */
export function ListTools<Row>(props: ListToolsProps<Row>) {
  const { title, columns, choice } = props;
  return (
    <Group gap={6}>
      <SavedViews title={title} />
      <Popover position="bottom-end" withArrow shadow="md" trapFocus>
        <Popover.Target>
          <Tooltip label="Columns" withArrow>
            <ActionIcon variant="default" size={36} aria-label="Columns">
              <IconColumns3 size={18} />
            </ActionIcon>
          </Tooltip>
        </Popover.Target>
        <Popover.Dropdown>
          <ColumnBoxes columns={columns} choice={choice} />
        </Popover.Dropdown>
      </Popover>
      <ExportButton {...props} />
    </Group>
  );
}

function ColumnBoxes<Row>({ columns, choice }: Pick<ListToolsProps<Row>, 'columns' | 'choice'>) {
  const shown = shownColumns(columns, choice.chosen).map(({ id }) => id);
  const toggle = (id: string): void => {
    const changed = columns.map((column) => column.id).filter((one) => (one === id ? !shown.includes(id) : shown.includes(one)));
    if (changed.length > 0) choice.choose(changed);
  };
  return (
    <Stack gap="xs">
      {columns.map(({ id, title }) => (
        <Checkbox key={id} size="sm" label={title} checked={shown.includes(id)} onChange={() => toggle(id)} />
      ))}
      <Button variant="subtle" size="compact-sm" onClick={() => choice.choose(undefined)}>
        As it was
      </Button>
    </Stack>
  );
}

/** Exports all rows that match the filters, not only the visible ones. */
function ExportButton<Row>({ title, path, columns, choice, query, ranged }: ListToolsProps<Row>) {
  const range = useRange();
  const save = useAction(async () => {
    const fixed = { limit: 200, ...query, ...(ranged && range.query()) };
    const { rows, isCut } = await readAll<Row>((cursor) => manage<Page<Row>>('GET', path, { query: { ...fixed, cursor } }));
    const cells = shownColumns(columns, choice.chosen).filter(({ text }) => text !== undefined);
    const heads = cells.map((column) => column.title);
    const lines = rows.map((row) => cells.map(({ text }) => text?.(row)));
    saveFile(`${title.toLowerCase().replaceAll(' ', '-')}.csv`, csvText(heads, lines), 'text/csv');
    notify({
      tone: isCut ? 'bad' : 'good',
      text: isCut
        ? `The file holds the first ${maxExported.toLocaleString('en')} rows; there are more. Narrow the range or the filters.`
        : `${plural(rows.length, 'row')} saved`,
    });
  });
  return (
    <Tooltip label="Save as CSV" withArrow>
      <ActionIcon variant="default" size={36} aria-label="Save as CSV" loading={save.isPending} onClick={() => save.mutate()}>
        <IconDownload size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
