import { Box } from '@mantine/core';
import styles from './sign-on-picture.module.css';

const lanes = [
  ['Host app', 70],
  ['Pierhead', 300],
  ['Miniapp', 530],
] as const;

const steps = [
  [70, 300, 'connect: who the user is'],
  [300, 300, 'consent checked, user stored'],
  [300, 530, 'only the declared fields'],
  [530, 300, 'a session for the user'],
  [300, 70, 'token and refresh token'],
] as const;

const stepHeight = 44;
const top = 64;
const height = top + steps.length * stepHeight;

/** A diagram of a sign-on from the host app to the miniapp. */
export function SignOnPicture() {
  return (
    <Box style={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label="The flow of a sign-on">
      <svg
        viewBox={`0 0 600 ${String(height)}`}
        className={styles.picture}
        role="img"
        aria-label={steps.map(([, , words]) => words).join('; ')}
      >
        {lanes.map(([name, x]) => (
          <g key={name}>
            <rect x={x - 52} y={8} width={104} height={28} rx={6} className={styles.head} />
            <text x={x} y={27} textAnchor="middle" className={styles.name}>
              {name}
            </text>
            <line x1={x} x2={x} y1={36} y2={height} className={styles.lane} />
          </g>
        ))}
        {steps.map(([from, to, words], i) => (
          <Step key={words} from={from} to={to} words={words} y={top + i * stepHeight} />
        ))}
      </svg>
    </Box>
  );
}

function Step({ from, to, words, y }: { readonly from: number; readonly to: number; readonly words: string; readonly y: number }) {
  if (from === to) {
    return (
      <g>
        <circle cx={from} cy={y + 8} r={6} className={styles.dot} />
        <text x={from + 14} y={y + 12} className={styles.words}>
          {words}
        </text>
      </g>
    );
  }
  const [end, back] = [to + (to > from ? -8 : 8), to + (to > from ? -16 : 16)];
  return (
    <g>
      <line x1={from} x2={end} y1={y + 10} y2={y + 10} className={styles.arrow} />
      <path
        d={`M ${String(to)} ${String(y + 10)} L ${String(back)} ${String(y + 5)} L ${String(back)} ${String(y + 15)} Z`}
        className={styles.dot}
      />
      <text x={(from + to) / 2} y={y + 2} textAnchor="middle" className={styles.words}>
        {words}
      </text>
    </g>
  );
}
