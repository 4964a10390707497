import { useEffect, useState } from 'react';
import { callBackEnd } from '../../own-back-end';
import { DialSlider } from './dial-slider';
import styles from './panel-cards.module.css';

const dialsShown = [
  { name: 'delay_ms', label: 'Answers late by', max: 5000, step: 250, unit: ' ms' },
  { name: 'error_percent', label: 'Answers 500', max: 100, step: 5, unit: ' %' },
  { name: 'malformed_percent', label: 'Answers broken JSON', max: 100, step: 5, unit: ' %' },
  { name: 'refused_percent', label: 'Refuses with 401', max: 100, step: 5, unit: ' %' },
  { name: 'hang_percent', label: 'Never answers', max: 100, step: 5, unit: ' %' },
] as const;
type Dials = Readonly<Record<(typeof dialsShown)[number]['name'], number>>;

interface DialsCardProps {
  readonly title: string;
  /** Path to read and set the faults. */
  readonly path: string;
}

/** Fault settings of one partner; each slider takes effect on release. */
export function DialsCard({ title, path }: DialsCardProps) {
  const [dials, setDials] = useState<Dials>();
  const [problem, setProblem] = useState('');
  const fail = (error: unknown): void => setProblem(error instanceof Error ? error.message : 'The dials could not be set');
  useEffect(() => {
    callBackEnd<Dials>('GET', path).then(setDials, fail);
  }, [path]);
  const turn = (changed: Dials): void => {
    setProblem('');
    callBackEnd<Dials>('PUT', path, changed).then(setDials, fail);
  };
  return (
    <div className={styles.card}>
      <h3>{title}</h3>
      {dials &&
        dialsShown.map(({ name, ...dial }) => (
          <DialSlider
            key={name}
            {...dial}
            of={title}
            value={dials[name]}
            onTurn={(value) => setDials({ ...dials, [name]: value })}
            onSet={(value) => turn({ ...dials, [name]: value })}
          />
        ))}
      {problem !== '' && (
        <p className={styles.note} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
