import { Button, Collapse, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconFilter, IconFilterOff } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { FilterField } from './filter-field';
import { filtersIn, withFilter, withoutFilters, type Filter } from './filters';

/** The filters of a list, kept in the page's URL, and on the right the list's other controls. */
export function FilterBar({ filters, children }: { readonly filters: readonly Filter[]; readonly children?: ReactNode }) {
  const [search] = useSearchParams();
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const [showsAll, setShowsAll] = useState(false);
  const set = filtersIn(search, filters);
  const count = Object.keys(set).length;
  const often = filters.filter(({ name, rare = false }) => !rare || set[name] !== undefined);
  const words = showsAll ? 'Fewer filters' : 'More filters';
  const toggle = (isNarrow ? filters.length > 0 : showsAll || often.length < filters.length) && (
    <Button variant="default" leftSection={<IconFilter size={16} />} aria-expanded={showsAll} onClick={() => setShowsAll((was) => !was)}>
      {isNarrow ? `Filters${count > 0 ? ` (${String(count)})` : ''}` : words}
    </Button>
  );
  const fields = <Fields filters={filters} shown={showsAll || isNarrow ? filters : often} />;
  return (
    <Group justify="space-between" align="flex-end" gap="xs">
      {isNarrow ? (
        toggle
      ) : (
        <Group gap="xs" align="flex-end" flex={1}>
          {fields}
          {toggle}
        </Group>
      )}
      <Group gap="xs">{children}</Group>
      {isNarrow && (
        <Collapse expanded={showsAll} w="100%">
          {fields}
        </Collapse>
      )}
    </Group>
  );
}

function Fields({ filters, shown }: { readonly filters: readonly Filter[]; readonly shown: readonly Filter[] }) {
  const [search, setSearch] = useSearchParams();
  const set = filtersIn(search, filters);
  return (
    <Group gap="xs" align="flex-end">
      {shown.map((filter) => (
        <FilterField
          key={`${filter.name} ${set[filter.name] ?? ''}`}
          filter={filter}
          value={set[filter.name] ?? ''}
          onSet={(value) => setSearch(withFilter(search, filter.name, value))}
        />
      ))}
      {Object.keys(set).length > 0 && (
        <Button variant="subtle" leftSection={<IconFilterOff size={16} />} onClick={() => setSearch(withoutFilters(search, filters))}>
          Clear
        </Button>
      )}
    </Group>
  );
}
