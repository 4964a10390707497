import { ActionIcon, Button, Group, Menu, Modal, TextInput, Tooltip } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';

interface View {
  readonly name: string;
  /** The page's query. */
  readonly query: string;
}

/** Named filters and time ranges, stored in this browser. */
export function SavedViews({ title }: { readonly title: string }) {
  const key = `pierhead.views.${title.toLowerCase()}`;
  const [views, setViews] = useLocalStorage<readonly View[]>({ key, defaultValue: [], getInitialValueInEffect: false });
  const [search] = useSearchParams();
  const [isNaming, setNaming] = useState(false);
  const without = (name: string): readonly View[] => views.filter((view) => view.name !== name);
  const keep = (name: string): void => {
    setViews([...without(name), { name, query: search.toString() }]);
    setNaming(false);
  };
  return (
    <>
      <ViewsMenu views={views} onSave={() => setNaming(true)} onForget={(name) => setViews(without(name))} />
      <Modal
        opened={isNaming}
        onClose={() => setNaming(false)}
        title="Save this view"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <NameForm onName={keep} />
      </Modal>
    </>
  );
}

interface ViewsMenuProps {
  readonly views: readonly View[];
  readonly onSave: () => void;
  readonly onForget: (name: string) => void;
}

function ViewsMenu({ views, onSave, onForget }: ViewsMenuProps) {
  const [, setSearch] = useSearchParams();
  return (
    <Menu position="bottom-end" withArrow shadow="md" width={260}>
      <Menu.Target>
        <Tooltip label="Saved views" withArrow>
          <ActionIcon variant="default" size={36} aria-label="Saved views">
            <IconBookmark size={18} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {views.map(({ name, query }) => (
          <Menu.Item key={name} onClick={() => setSearch(new URLSearchParams(query))}>
            {name}
          </Menu.Item>
        ))}
        {views.length > 0 && <Menu.Divider />}
        <Menu.Item onClick={onSave}>Save this view …</Menu.Item>
        {views.map(({ name }) => (
          <Menu.Item key={name} color="red" leftSection={<IconTrash size={14} />} onClick={() => onForget(name)}>
            Forget “{name}”
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function NameForm({ onName }: { readonly onName: (name: string) => void }) {
  const [name, setName] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') onName(name.trim());
      }}
    >
      <TextInput
        label="Name"
        description="Filters and time range, kept in this browser"
        data-autofocus
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Group justify="flex-end" mt="md">
        <Button type="submit">Save</Button>
      </Group>
    </form>
  );
}
