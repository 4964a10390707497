import { Button, Checkbox, Group } from '@mantine/core';
import { featureNames, featureTitles, type Features } from './integration';

/** The chosen features in the form of the API. */
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

interface FormActionsProps {
  readonly action: string;
  readonly isPending: boolean;
  readonly onClose: () => void;
}

/** Cancel and submit buttons of a form. */
export function FormActions({ action, isPending, onClose }: FormActionsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" loading={isPending}>
        {action}
      </Button>
    </Group>
  );
}
