import { refusal } from '../shared/errors';

/** A feature that host apps, miniapps and integrations can enable. */
export type Feature = 'sso' | 'payments' | 'events';

/** true: enabled; false: disabled; absent: never set up (contract/resources#host-app). */
export type FeatureSwitches = Readonly<Partial<Record<Feature, boolean>>>;

/** Host app, miniapp and integration: a feature must be enabled in all three. */
export interface FeatureLevels {
  readonly hostApp: FeatureSwitches;
  readonly miniapp: FeatureSwitches;
  readonly integration: FeatureSwitches;
}

/**
 * Throws unless the feature is enabled at all three levels, checked in the order of contract/conventions#features: host app, miniapp,
 * integration. A feature that a partner never set up has another code than a disabled one.
 */
export function requireFeature(feature: Feature, { hostApp, miniapp, integration }: FeatureLevels): void {
  const details = { setting: feature };
  if (hostApp[feature] === undefined) throw refusal('invalid', 'HOSTAPP_INTEGRATION_NOT_SET', { ...details, side: 'hostapp' });
  if (!hostApp[feature]) throw refusal('invalid', 'FEATURE_DISABLED_IN_HOSTAPP', { ...details, side: 'hostapp' });
  if (miniapp[feature] === undefined) throw refusal('invalid', 'MINIAPP_INTEGRATION_NOT_SET', { ...details, side: 'miniapp' });
  if (!miniapp[feature]) throw refusal('invalid', 'FEATURE_DISABLED_IN_MINIAPP', { ...details, side: 'miniapp' });
  if (!integration[feature]) throw refusal('invalid', 'FEATURE_DISABLED_IN_INTEGRATION', { ...details, side: 'platform' });
}
