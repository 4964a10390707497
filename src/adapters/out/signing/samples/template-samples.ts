import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Mustache from 'mustache';
import { sampleLanguages, type SampleLanguage } from '../../../../domain/credentials/explain/sample-languages';
import type { SampleGenerator } from '../../../../domain/credentials/ports';
import type { SignatureSettings } from '../../../../domain/credentials/signing/signature-settings';
import { dialects } from './dialects';
import { viewOf } from './sample-view';

type Kind = 'sign' | 'verify';

/** Fills the templates of `templates/`: one program for each language and direction. Each file is read once. */
export class TemplateSamples implements SampleGenerator {
  private readonly templates = new Map<string, string>();

  signing(settings: SignatureSettings, merchantId: string | undefined): Record<SampleLanguage, string> {
    return this.all('sign', settings, merchantId);
  }

  checking(settings: SignatureSettings, merchantId: string | undefined): Record<SampleLanguage, string> {
    return this.all('verify', settings, merchantId);
  }

  private all(kind: Kind, settings: SignatureSettings, merchantId: string | undefined): Record<SampleLanguage, string> {
    const made = sampleLanguages.map((language) => {
      const view = viewOf(settings, merchantId, dialects[language]);
      return [language, Mustache.render(this.template(`${kind}-${language}`), view, undefined, { tags, escape: String })];
    });
    return Object.fromEntries(made) as Record<SampleLanguage, string>;
  }

  private template(name: string): string {
    const known = this.templates.get(name) ?? readFileSync(join(__dirname, 'templates', `${name}.mustache`), 'utf8');
    this.templates.set(name, known);
    return known;
  }
}

/** Braces are frequent in programs. */
const tags: [string, string] = ['<%', '%>'];
