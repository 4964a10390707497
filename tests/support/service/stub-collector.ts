import { json } from '../partners/stub-behaviours';
import { StubPartner } from '../partners/stub-partner';

/** A span as a collector got it, its attributes by name. */
export interface CollectedSpan {
  readonly name: string;
  /** 2: server, 3: client. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: Readonly<Record<string, string | number>>;
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}
interface OtlpSpan extends Omit<CollectedSpan, 'attributes' | 'links'> {
  readonly attributes: readonly OtlpAttribute[];
  readonly links?: CollectedSpan['links'];
}
interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** A collector of traces that reads OTLP over HTTP, as JSON. */
export class StubCollector extends StubPartner {
  constructor() {
    super();
    this.on('/v1/traces', json({}));
  }

  /** All that came, as it came. */
  get text(): string {
    return this.at('/v1/traces')
      .map(({ body }) => body.toString('utf8'))
      .join('\n');
  }

  spans(): CollectedSpan[] {
    return this.traces().flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) =>
        spans.map(({ attributes, parentSpanId, links, ...span }) => ({
          ...span,
          parentSpanId: parentSpanId || undefined,
          links: links ?? [],
          attributes: valuesOf(attributes),
        })),
      ),
    );
  }

  /** The sender of the first spans. */
  resource(): CollectedSpan['attributes'] {
    return valuesOf(this.traces()[0]?.resource.attributes ?? []);
  }

  private traces(): OtlpTraces['resourceSpans'] {
    return this.at('/v1/traces').flatMap(({ body }) => (JSON.parse(body.toString('utf8')) as OtlpTraces).resourceSpans);
  }
}

const valuesOf = (attributes: readonly OtlpAttribute[]): Record<string, string | number> =>
  Object.fromEntries(attributes.map(({ key, value: { stringValue, intValue } }) => [key, stringValue ?? Number(intValue)]));
