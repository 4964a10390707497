import { Button } from '@mantine/core';
import type { Profile } from '../playground-settings';
import { Sheet } from './sheet';
import styles from './consent-sheet.module.css';

interface ConsentSheetProps {
  readonly user: Profile;
  readonly text: string;
  readonly onAnswer: (agreed: boolean) => void;
}

/** Asks for the user's consent and shows the data that the miniapp will get. */
export function ConsentSheet({ user, text, onAnswer }: ConsentSheetProps) {
  const items = [
    ['Name', `${user.first_name} ${user.last_name}`],
    ['E-mail', user.email],
    ['Phone', user.phone],
  ] as const;
  return (
    <Sheet title="Share with Skerry Ferries?" onDismiss={() => onAnswer(false)}>
      <p className={styles.text}>{text}</p>
      <dl className={styles.facts}>
        {items.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Button fullWidth size="md" radius="xl" data-autofocus onClick={() => onAnswer(true)}>
        Agree and continue
      </Button>
      <Button fullWidth size="md" radius="xl" mt={8} variant="subtle" onClick={() => onAnswer(false)}>
        Not now
      </Button>
    </Sheet>
  );
}
