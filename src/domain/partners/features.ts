import { refusal } from '../shared/errors';

/** What two partners may have switched on between them. */
export type Feature = 'sso' | 'payments' | 'events';

/** true: on; false: switched off; absent: never set up (contract/resources#host-app). */
export type FeatureSwitches = Readonly<Partial<Record<Feature, boolean>>>;

/** A feature must be on at these three levels. */
export interface FeatureLevels {
  readonly hostApp: FeatureSwitches;
  readonly miniapp: FeatureSwitches;
  readonly integration: FeatureSwitches;
}

/**
 * Refuses unless the feature is on at all three levels, looked at in the order of contract/conventions#features: host app, miniapp,
 * integration. Never set up at a partner is another code than switched off there.
 */
export function requireFeature(feature: Feature, { hostApp, miniapp, integration }: FeatureLevels): void {
  const details = { setting: feature };
  if (hostApp[feature] === undefined) throw refusal('invalid', 'HOSTAPP_INTEGRATION_NOT_SET', { ...details, side: 'hostapp' });
  if (!hostApp[feature]) throw refusal('invalid', 'FEATURE_DISABLED_IN_HOSTAPP', { ...details, side: 'hostapp' });
  if (miniapp[feature] === undefined) throw refusal('invalid', 'MINIAPP_INTEGRATION_NOT_SET', { ...details, side: 'miniapp' });
  if (!miniapp[feature]) throw refusal('invalid', 'FEATURE_DISABLED_IN_MINIAPP', { ...details, side: 'miniapp' });
  if (!integration[feature]) throw refusal('invalid', 'FEATURE_DISABLED_IN_INTEGRATION', { ...details, side: 'platform' });
}
