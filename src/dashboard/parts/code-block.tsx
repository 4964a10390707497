import { Box, Code } from '@mantine/core';
import { CopyButton } from './copy-button';
import styles from './code-block.module.css';

interface CodeBlockProps {
  readonly text: string;
  /** Names the text for the copy button and for screen readers: "curl command". */
  readonly what: string;
  /** Height in pixels from which it scrolls; 420 by default. */
  readonly maxHeight?: number;
  /** Breaks long lines instead of scrolling. */
  readonly wraps?: boolean;
}

/** Code or other text in monospace, with a copy button. */
export function CodeBlock({ text, what, maxHeight = 420, wraps = false }: CodeBlockProps) {
  return (
    <Box className={styles.block}>
      <div className={styles.copy}>
        <CopyButton text={text} what={what} />
      </div>
      <Code block tabIndex={0} role="region" aria-label={what} className={wraps ? styles.wraps : styles.scrolls} mah={maxHeight}>
        {text}
      </Code>
    </Box>
  );
}
