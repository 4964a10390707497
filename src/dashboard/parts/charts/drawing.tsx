import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import styles from './charts.module.css';

/** Width in pixels until the real one is measured. */
const firstWidth = 720;

interface DrawingProps {
  /** Pixels. */
  readonly height: number;
  readonly title: string;
  /** Renders a drawing of this width in pixels. */
  readonly children: (width: number) => ReactNode;
}

/** A drawing that fills the available width. Its text keeps its size on narrow screens. */
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
