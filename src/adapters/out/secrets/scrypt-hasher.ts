import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { PasswordHashProvider } from '../../../domain/accounts/ports';
import { Unavailable } from '../../../domain/shared/errors';
import type { Secret } from '../../../domain/shared/secret';

/** The cost (RFC 7914): 32 MiB and about a tenth of a second per hash. */
const cost = { N: 2 ** 15, r: 8, p: 1 } as const;
const keyBytes = 32;
/** The maximum number of concurrent hashes: 64 MiB, and two of the four libuv threads that files and name lookups share. */
const slotsAtOnce = 2;
const maxWaiting = 30;

const form = /^scrypt\$N=(\d{1,8}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/;

/** scrypt outside the main thread. The format `scrypt$N=32768,r=8,p=1$salt$key` contains the cost, so that it can be raised later. */
export class ScryptHasher implements PasswordHashProvider {
  private atWork = 0;
  private readonly waiting: (() => void)[] = [];

  async hash(password: Secret): Promise<string> {
    const salt = randomBytes(16);
    return textOf(salt, await this.derive(password, salt, cost));
  }

  async matches(password: Secret, stored: string | undefined): Promise<boolean> {
    const parts = form.exec(stored ?? nobodys);
    if (!parts) throw new Error('A stored password cannot be read');
    const [, N, r, p, salt = '', key = ''] = parts;
    const derived = await this.derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
    return timingSafeEqual(derived, Buffer.from(key, 'base64url')) && stored !== undefined;
  }

  private async derive(
    password: Secret,
    salt: Buffer,
    parameters: { readonly N: number; readonly r: number; readonly p: number },
  ): Promise<Buffer> {
    await this.turn();
    try {
      return await new Promise((resolve, reject) => {
        const text = password.reveal().normalize('NFKC');
        scrypt(text, salt, keyBytes, { ...parameters, maxmem: 256 * parameters.N * parameters.r }, (error, key) => {
          if (error) reject(error);
          else resolve(key);
        });
      });
    } finally {
      // Passes the slot to the next waiting call directly, so that no new call can take it.
      const next = this.waiting.shift();
      if (next) next();
      else this.atWork--;
    }
  }

  private async turn(): Promise<void> {
    if (this.atWork < slotsAtOnce) {
      this.atWork++;
      return;
    }
    if (this.waiting.length >= maxWaiting) throw new Unavailable('sign-in-busy', 2);
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}

const textOf = (salt: Buffer, key: Buffer): string =>
  ['scrypt', `N=${String(cost.N)},r=${String(cost.r)},p=${String(cost.p)}`, salt.toString('base64url'), key.toString('base64url')].join(
    '$',
  );

/** The hash of a random password, compared when there is no account, so that the time is the same. */
const nobodys = textOf(randomBytes(16), randomBytes(keyBytes));
