import { Group, Kbd, Modal, Text } from '@mantine/core';
import { useSession } from '../api/session';
import { screensOf } from '../screens';
import styles from './shell.module.css';

const everywhere: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['/'], 'Search for an id'],
  [['?'], 'This help'],
  [['j'], 'Next row of a list'],
  [['k'], 'Row before'],
  [['Enter'], 'Open the row'],
  [['o'], 'Open the row in a new tab'],
];

/** Lists all keyboard shortcuts. */
export function HelpDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { role, viewAs } = useSession();
  const letters = screensOf(viewAs?.role ?? role).flatMap(({ key, title }) => (key === undefined ? [] : [[['g', key], title] as const]));
  return (
    <Modal opened={opened} onClose={onClose} title="Keys" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Group align="flex-start" grow gap="xl">
        <KeyList keys={everywhere} />
        <KeyList keys={letters} />
      </Group>
    </Modal>
  );
}

function KeyList({ keys }: { readonly keys: typeof everywhere }) {
  return (
    <div className={styles.keys}>
      {keys.map(([pressed, what]) => (
        <div key={what} style={{ display: 'contents' }}>
          <span>
            {pressed.map((key) => (
              <Kbd key={key} mr={4}>
                {key}
              </Kbd>
            ))}
          </span>
          <Text size="sm">{what}</Text>
        </div>
      ))}
    </div>
  );
}
