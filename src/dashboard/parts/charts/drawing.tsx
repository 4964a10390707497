import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import styles from './charts.module.css';

/** Until a drawing knows its own width, in pixels. */
const firstWidth = 720;

interface DrawingProps {
  /** Pixels. */
  readonly height: number;
  readonly title: string;
  /** A drawing of so many pixels of width. */
  readonly children: (width: number) => ReactNode;
}

/** A drawing as wide as there is room; its words keep their size however narrow it is. */
export function Drawing({ height, title, children }: DrawingProps) {
  const { ref, width: measured } = useElementSize<HTMLDivElement>();
  const width = measured > 0 ? measured : firstWidth;
  return (
    <div ref={ref}>
      <svg viewBox={`0 0 ${String(width)} ${String(height)}`} className={styles.svg} role="group" aria-label={title}>
        {children(width)}
      </svg>
    </div>
  );
}
