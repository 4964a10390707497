import { Box, Code } from '@mantine/core';
import { CopyButton } from './copy-button';
import styles from './code-block.module.css';

interface CodeBlockProps {
  readonly text: string;
  /** What it is, for the copy button and those who cannot see it: "curl command". */
  readonly what: string;
  /** Pixels beyond which it scrolls; 420. */
  readonly maxHeight?: number;
  /** Breaks long lines instead of scrolling. */
  readonly wraps?: boolean;
}

/** Code or another text in fixed width, with a button that copies it. */
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
