import { VisuallyHidden } from '@mantine/core';
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { featureNames, featureTitles, type Features } from './integration';
import styles from './integrations.module.css';

interface FeatureMatrixProps {
  /** `undefined` when the viewer may not see it. */
  readonly hostApp: Features | undefined;
  readonly miniapp: Features | undefined;
  readonly integration: Features;
}

const levels = ['Host app', 'Miniapp', 'Agreed'] as const;

/** The enabled features at each of the three levels. A feature works when all of them enable it. */
export function FeatureMatrix({ hostApp, miniapp, integration }: FeatureMatrixProps) {
  const of = [hostApp, miniapp, integration];
  return (
    <table className={styles.matrix}>
      <caption>
        <VisuallyHidden>Features at the three levels</VisuallyHidden>
      </caption>
      <thead>
        <tr>
          <th aria-label="Level" />
          {featureNames.map((name) => (
            <th key={name} scope="col">
              {featureTitles[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {levels.map((level, i) => (
          <tr key={level}>
            <th scope="row">{level}</th>
            {featureNames.map((name) => (
              <td key={name}>
                <Mark isOn={of[i]?.[name]} isHidden={of[i] === undefined} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Mark({ isOn, isHidden }: { readonly isOn: boolean | undefined; readonly isHidden: boolean }) {
  const [Icon, words, color] = isOn
    ? ([IconCheck, 'on', 'var(--mantine-color-teal-6)'] as const)
    : isOn === false
      ? ([IconX, 'switched off', 'var(--mantine-color-red-6)'] as const)
      : ([IconMinus, isHidden ? 'not shown' : 'never set up', 'var(--mantine-color-dimmed)'] as const);
  return (
    <span title={words} className={styles.mark} style={{ color }}>
      <Icon size={15} stroke={2.5} aria-hidden />
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  );
}
