/** A user of the sandbox host app: its `user_data` answer, with the members' wire names. */
export interface SandboxUser {
  readonly reference: string;
  readonly email: string;
  readonly phone: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly custom_attributes: Readonly<Record<string, string>>;
}

/** All users of the sandbox host app. The phone numbers are of ranges reserved for fiction. */
export const sandboxUsers: readonly SandboxUser[] = [
  {
    reference: 'user-mia-0001',
    email: 'mia.berg@example.com',
    phone: '+12025550101',
    first_name: 'Mia',
    last_name: 'Berg',
    custom_attributes: { tier: 'gold' },
  },
  {
    reference: 'user-omar-0002',
    email: 'omar.haddad@example.com',
    phone: '+12025550102',
    first_name: 'Omar',
    last_name: 'Haddad',
    custom_attributes: { tier: 'silver' },
  },
  {
    reference: 'user-yuki-0003',
    email: 'yuki.mori@example.com',
    phone: '+12025550103',
    first_name: '由紀',
    last_name: '森',
    custom_attributes: { tier: 'basic' },
  },
];

/** The default user, in the printed `curl` lines and in the demo. */
export const firstUser = sandboxUsers[0] as SandboxUser;

export const findUser = (reference: unknown): SandboxUser | undefined => sandboxUsers.find((user) => user.reference === reference);
