/** The placeholders of a payload template (contract/signatures#signed-text). */
export const placeholders = ['request_method', 'url', 'client_id', 'timestamp', 'nonce', 'identity', 'merchant_id', 'payload'] as const;
export type Placeholder = (typeof placeholders)[number];

/** Without any of these, a signature would also be valid for another request, time or body. */
const needed: readonly Placeholder[] = ['request_method', 'url', 'timestamp', 'payload'];

/** A part of a template: literal text, or a value to fill in. */
export type TemplatePart = { readonly text: string } | { readonly placeholder: Placeholder };

/** Thrown for an invalid template; the message is the rule that it breaks. */
export class TemplateRefused extends Error {}

const isPlaceholder = (name: string): name is Placeholder => (placeholders as readonly string[]).includes(name);

/** Compiles a payload template. Values are later joined with the parts, never replaced in the text. Throws TemplateRefused. */
export function compileTemplate(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  for (const piece of template.split(/(\{[^{}]*\})/)) {
    if (piece === '') continue;
    if (!piece.startsWith('{') || !piece.endsWith('}')) {
      if (/[{}]/.test(piece)) throw new TemplateRefused('has a brace that belongs to no placeholder');
      parts.push({ text: piece });
      continue;
    }
    const name = piece.slice(1, -1);
    if (!isPlaceholder(name)) throw new TemplateRefused(`has an unknown placeholder; known: ${placeholders.join(', ')}`);
    parts.push({ placeholder: name });
  }
  return parts;
}

/** The placeholders of a compiled template. */
export const placeholdersOf = (parts: readonly TemplatePart[]): readonly Placeholder[] =>
  parts.flatMap((part) => ('placeholder' in part ? [part.placeholder] : []));

/** Weaknesses of a template (contract/signatures#signed-text); empty when there are none. */
export function templateWeaknesses(parts: readonly TemplatePart[]): readonly string[] {
  const present = placeholdersOf(parts);
  const missing = needed.filter((name) => !present.includes(name));
  const weaknesses = missing.length > 0 ? [`lacks ${missing.map((name) => `{${name}}`).join(', ')}`] : [];
  const touching = parts.some((part, i) => 'placeholder' in part && 'placeholder' in (parts[i + 1] ?? {}));
  if (touching) weaknesses.push('has two placeholders side by side');
  return weaknesses;
}
