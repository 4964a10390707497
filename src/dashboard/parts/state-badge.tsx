import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconInfoCircle, IconMinus, IconX } from '@tabler/icons-react';

export type Tone = 'good' | 'warn' | 'bad' | 'wait' | 'quiet' | 'info';

/** Colour, icon, and a text colour that is dark enough on a light background. */
const toneStyles = {
  good: ['teal', IconCheck, '#05603f'],
  warn: ['yellow', IconAlertTriangle, '#744210'],
  bad: ['red', IconX, '#9b1c1c'],
  wait: ['blue', IconClock, '#174a8c'],
  quiet: ['gray', IconMinus, '#3d4a50'],
  info: ['grape', IconInfoCircle, '#6b21a8'],
} as const;

/** A state as a colour, an icon for those who do not see the colour, and a word. */
export function StateBadge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  const [color, Mark, ink] = toneStyles[tone];
  return (
    <Badge
      color={color}
      c={`light-dark(${ink}, var(--mantine-color-${color}-2))`}
      miw="max-content"
      variant="light"
      radius="sm"
      tt="none"
      fw={600}
      leftSection={<Mark size={12} stroke={2.5} aria-hidden />}
      className="state-badge"
    >
      {children}
    </Badge>
  );
}
