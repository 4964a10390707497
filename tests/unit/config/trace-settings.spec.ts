import { readSettings, SettingsError } from '../../../src/config/settings';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const problemsWith = (env: Record<string, string>): string => {
  try {
    readSettings(env);
    return '';
  } catch (error) {
    if (error instanceof SettingsError) return error.problems.join();
    throw error;
  }
};

describe('where traces go', () => {
  it('is nowhere unless it is said', () => {
    expect(readSettings({}).traces).toBeUndefined();
    expect(readSettings({ TRACE_CONTEXT: 'join', OTEL_TRACES_SAMPLER: 'always_on', OTEL_SERVICE_NAME: 'a' }).traces).toBeUndefined();
    expect(readSettings({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).traces).toBeUndefined();
  });

  it('is below the collector’s address, in the usual form, whole, and by links', () => {
    expect(readSettings(endpoint).traces).toEqual({
      url: 'http://collector:4318/v1/traces',
      ...{ protocol: 'http/protobuf', sampler: 'parentbased_always_on', ratio: 1, joins: false },
    });
  });

  it.each([
    ['http://collector:4318/', {}, 'http://collector:4318/v1/traces'],
    ['https://collector.example/otlp', {}, 'https://collector.example/otlp/v1/traces'],
    ['http://collector:4318', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in' }, 'https://traces.example/in'],
  ])('is found from %s and %j', (address, more, url) => {
    expect(readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: address, ...more }).traces?.url).toBe(url);
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:secret@collector'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
    ['TRACE_CONTEXT', 'parent'],
  ])('cannot be meant by %s=%s', (name, value) => {
    expect(problemsWith({ ...endpoint, [name]: value })).toContain(name);
  });

  it.each([
    ['0.05', 0.05],
    ['.5', 0.5],
    ['1.0', 1],
    ['0', 0],
  ])('takes a share of %s', (text, ratio) => {
    expect(readSettings({ ...endpoint, OTEL_TRACES_SAMPLER_ARG: text }).traces?.ratio).toBe(ratio);
  });
});
