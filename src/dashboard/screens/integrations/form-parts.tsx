import { Button, Checkbox, Group } from '@mantine/core';
import { featureNames, featureTitles, type Features } from './integration';

/** The features that were chosen, as they are written. */
export const switchedOn = (chosen: readonly string[]): Features => Object.fromEntries(chosen.map((name) => [name, true]));

interface FeatureChoiceProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Which features are on. */
export function FeatureChoice({ chosen, onChange }: FeatureChoiceProps) {
  return (
    <Checkbox.Group label="Features" value={[...chosen]} onChange={onChange}>
      <Group mt={6}>
        {featureNames.map((name) => (
          <Checkbox key={name} value={name} label={featureTitles[name]} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

interface FormDeedsProps {
  readonly deed: string;
  readonly isUnderWay: boolean;
  readonly onClose: () => void;
}

/** The end of a form: cancel, and what it does. */
export function FormDeeds({ deed, isUnderWay, onClose }: FormDeedsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" loading={isUnderWay}>
        {deed}
      </Button>
    </Group>
  );
}
