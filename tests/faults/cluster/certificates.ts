import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A temporary folder of authorities, certificates and keys: `NAME.crt` and `NAME.key`, made by `openssl`. */
export class Certificates {
  readonly folder = mkdtempSync(join(tmpdir(), 'pierhead-tls-'));

  constructor() {
    chmodSync(this.folder, 0o755);
  }

  /** An authority that signs certificates. */
  addAuthority(name: string): this {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.crt`];
    return this.openssl('req', '-x509', ...newKey, ...files, '-subj', `/CN=Test authority ${name}`, '-days', '2');
  }

  /** A certificate for a host or a role. */
  add(name: string, { of, by }: { readonly of: string; readonly by: string }): this {
    this.openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${of}`);
    const signedBy = ['-CA', `${by}.crt`, '-CAkey', `${by}.key`, '-CAcreateserial'];
    return this.openssl('x509', '-req', '-in', `${name}.csr`, ...signedBy, '-out', `${name}.crt`, '-days', '2');
  }

  /** The same key under a password. */
  encryptKey(name: string, { of, password }: { readonly of: string; readonly password: string }): this {
    return this.openssl('pkcs8', '-topk8', '-in', `${of}.key`, '-out', `${name}.key`, '-passout', `pass:${password}`);
  }

  /** The path of a file. */
  at(file: string): string {
    return join(this.folder, file);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private openssl(...args: readonly string[]): this {
    execFileSync('openssl', args, { cwd: this.folder, stdio: 'ignore' });
    return this;
  }
}
