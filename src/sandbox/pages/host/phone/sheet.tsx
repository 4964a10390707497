import { FocusTrap } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './sheet.module.css';

interface SheetProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly onDismiss: () => void;
}

/** A sheet at the bottom of the phone that keeps the focus until the user has answered; Escape dismisses it. */
export function Sheet({ title, children, onDismiss }: SheetProps) {
  return (
    <div className={styles.shade}>
      <FocusTrap active>
        <div
          className={styles.sheet}
          role="dialog"
          aria-modal="true"
          aria-label={title}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onDismiss();
          }}
        >
          <div className={styles.grip} />
          <h2 className={styles.title}>{title}</h2>
          {children}
        </div>
      </FocusTrap>
    </div>
  );
}
